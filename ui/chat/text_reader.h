// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace vitrine::ui {

/// A text of any length, page by page, to read, to search, to copy and to save: only one page of it is laid
/// out.
class TextReader : public QDialog {
    Q_OBJECT
public:
    TextReader(const QString& title, const QString& text, QWidget* parent = nullptr);

    static constexpr qsizetype kPage = 10'000; ///< characters, or a few less

    [[nodiscard]] int pages() const;
    [[nodiscard]] int page() const { return m_page; } ///< from 0 on
    void showPage(int page);
    /// Shows and selects the next place behind the one found last; behind the last, the first again.
    void findNext(const QString& what);
    /// Says beside the search whether it could.
    void saveAs(const QString& path);

private:
    void layOut();
    void find();
    void save();
    [[nodiscard]] qsizetype pageBegin(int page) const;
    [[nodiscard]] int pageOf(qsizetype place) const;
    [[nodiscard]] QString shown(qsizetype begin, qsizetype end) const;
    [[nodiscard]] qsizetype searchFrom() const;

    QString m_text;
    QPlainTextEdit* m_view;
    QSpinBox* m_number;
    QLineEdit* m_search;
    QLabel* m_found;
    int m_page = -1;
    qsizetype m_foundAt = -1; ///< what was looked for last; −1: nowhere
};

} // namespace vitrine::ui
