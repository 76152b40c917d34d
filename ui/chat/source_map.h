// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/text_links.h"

#include <QString>

#include <array>
#include <utility>
#include <vector>

class QTextCharFormat;
class QTextCursor;

namespace vitrine::ui {

/// Where the characters of a message stand in the document that shows it, as it was written down: an answer
/// that is set as Markdown leaves marks and empty lines out and adds bullets and a footer. What is added is
/// not in here. Positions count from the beginning of the message's frame.
class SourceMap {
public:
    void clear();
    /// Characters [source, source + length) of the part stand at `position`: behind all that was added
    /// before.
    void add(TextPart part, int position, int source, int length);

    /// The part of the document that shows [begin, end) of the source; begin = end where none does.
    [[nodiscard]] std::pair<int, int> shown(TextPart part, int begin, int end) const;
    /// The part of the source that [from, to) of the document shows.
    [[nodiscard]] std::pair<int, int> source(TextPart part, int from, int to) const;

private:
    struct Run {
        int position; ///< in the document
        int source;
        int length;
    };

    [[nodiscard]] const std::vector<Run>& runs(TextPart part) const;

    std::array<std::vector<Run>, 2> m_runs;
};

/// Writes a message's text into its frame, and down where it is. A word of more than kMostUnbroken characters
/// goes on in a paragraph of its own: to break it into lines costs the square of its length.
class SourcePen {
public:
    /// `cursor` and `map` outlive it. `origin`: where the frame begins.
    SourcePen(QTextCursor& cursor, SourceMap& map, TextPart part, int origin);

    [[nodiscard]] QTextCursor& cursor() { return m_cursor; }
    /// `text` is what the part has from `source` on.
    void write(const QString& text, int source, const QTextCharFormat& format);

    static constexpr qsizetype kMostUnbroken = 500;

private:
    [[nodiscard]] qsizetype endOfPiece(const QString& text, qsizetype begin) const;
    [[nodiscard]] qsizetype unbrokenBefore() const;
    void writePiece(const QString& text, int source, const QTextCharFormat& format);

    QTextCursor& m_cursor;
    SourceMap& m_map;
    TextPart m_part;
    int m_origin;
};

} // namespace vitrine::ui
