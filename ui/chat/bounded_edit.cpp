// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/bounded_edit.h"

#include <QMimeData>

namespace vitrine::ui {

void BoundedEdit::insertFromMimeData(const QMimeData* source)
{
    const QString text = source->text();
    if (document()->characterCount() + text.size() > kMostTyped && !text.isEmpty())
        emit longTextPasted(text);
    else
        QPlainTextEdit::insertFromMimeData(source);
}

} // namespace vitrine::ui
