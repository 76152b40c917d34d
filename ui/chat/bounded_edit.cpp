// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/bounded_edit.h"

#include <QMimeData>

namespace vitrine::ui {

void BoundedEdit::insertFromMimeData(const QMimeData* source)
{
    if (source->formats().isEmpty())
        return; // nobody has anything to paste; Qt 6.4 looks at the first format all the same
    const QString text = source->text();
    if (document()->characterCount() + text.size() > kMostTyped && !text.isEmpty())
        emit longTextPasted(text);
    else
        QPlainTextEdit::insertFromMimeData(source);
}

} // namespace vitrine::ui
