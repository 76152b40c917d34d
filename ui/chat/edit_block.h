// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTextCursor>

namespace vitrine::ui {

/// While one lives, nothing of a document is laid out: all that was written is, once, at its end.
class EditBlock {
public:
    explicit EditBlock(QTextDocument* document)
        : m_cursor(document)
    {
        m_cursor.beginEditBlock();
    }
    ~EditBlock() { m_cursor.endEditBlock(); }
    EditBlock(const EditBlock&) = delete;
    EditBlock& operator=(const EditBlock&) = delete;

private:
    QTextCursor m_cursor;
};

} // namespace vitrine::ui
