// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <utility>
#include <vector>

class QTextFrame;

namespace vitrine::ui {

/// Where the characters of a message's text stand in the document that shows it. An answer that is set as
/// Markdown leaves marks and empty lines out and adds bullets and a footer; each run of characters of one
/// format is in the text as it is. What is added has no place in the text.
class SourceMap {
public:
    SourceMap(const QTextFrame& frame, const QString& source);

    /// The part of the document that shows [begin, end) of the source; begin = end where none does.
    [[nodiscard]] std::pair<int, int> shown(int begin, int end) const;
    /// The part of the source that [from, to) of the document shows.
    [[nodiscard]] std::pair<int, int> source(int from, int to) const;

private:
    struct Run {
        int position; ///< in the document
        int source;
        int length;
    };

    void addFrame(const QTextFrame& frame, const QString& source);
    void addText(int position, const QString& text, const QString& source);
    void add(int position, const QString& text, const QString& source);

    std::vector<Run> m_runs;
    int m_next = 0; ///< of the source: what is behind the last run
};

} // namespace vitrine::ui
