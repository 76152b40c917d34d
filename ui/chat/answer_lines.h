// SPDX-License-Identifier: GPL-3.0-or-later
// The quiet lines around an answer: its figures, and what can be done with it.
#pragma once
#include "ui/chat/text_style.h"
#include "ui/models/chat_session.h"

class QTextCursor;

namespace vitrine::ui {

/// The address of a link that asks for `action`, one of conversation_document.h.
[[nodiscard]] QString linkTo(const QString& action, MessageId message);
/// How the answer ended, and how fast it was; with what each figure means on hover.
void writeFigures(QTextCursor& cursor, const Message& message, const TextStyle& style);
void writeAction(QTextCursor& cursor, const TextStyle& style, const QString& address, const QString& label,
                 const QString& tip);

} // namespace vitrine::ui
