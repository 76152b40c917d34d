// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPlainTextEdit>

namespace vitrine::ui {

/// A text field takes no more characters than this at once: with each key the line written in is laid out
/// anew.
inline constexpr qsizetype kMostTyped = 10'000;

/// A text field that a paste cannot bring to a halt.
class BoundedEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    using QPlainTextEdit::QPlainTextEdit;

signals:
    /// Pasted or dropped, and not taken: with it the field would have more than kMostTyped characters.
    void longTextPasted(const QString& text);

protected:
    void insertFromMimeData(const QMimeData* source) override;
};

} // namespace vitrine::ui
