// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/answer_lines.h"

#include "ui/chat/conversation_document.h"

#include <QTextCursor>

namespace vitrine::ui {
namespace {

const QString kDot = QStringLiteral(" · ");
const QString kActionGap = QStringLiteral("\u2003");

QString stateWord(MessageState state)
{
    switch (state) {
    case MessageState::Stopped:
        return ConversationDocument::tr("Stopped");
    case MessageState::Interrupted:
        return ConversationDocument::tr("Interrupted: the program ended before the answer did");
    default:
        return {};
    }
}

} // namespace

QString linkTo(const QString& action, MessageId message)
{
    return QStringLiteral("%1:%2/%3").arg(link::kScheme, action).arg(message.value);
}

void writeFigures(QTextCursor& cursor, const Message& message, const TextStyle& style)
{
    const auto add = [&](const QString& text, const QString& tip) {
        if (!cursor.atBlockStart())
            cursor.insertText(kDot, style.quiet);
        QTextCharFormat format = style.quiet;
        format.setToolTip(tip);
        cursor.insertText(text, format);
    };
    const RequestStats& stats = message.stats;
    if (const QString word = stateWord(message.state); !word.isEmpty())
        add(word, {});
    if (stats.ttftSeconds > 0)
        add(ConversationDocument::tr("TTFT %L1 s").arg(stats.ttftSeconds, 0, 'f', 2),
            ConversationDocument::tr("Time to first token: from sending to the first token of the answer"));
    if (stats.decodeTokensPerSecond > 0)
        add(ConversationDocument::tr("%L1 tok/s").arg(stats.decodeTokensPerSecond, 0, 'f', 1),
            ConversationDocument::tr("Tokens a second after the first token"));
    if (stats.generatedTokens > 0)
        add(ConversationDocument::tr("%Ln token(s)", nullptr, stats.generatedTokens),
            ConversationDocument::tr("Generated; the prompt had %L1, of which %L2 were in the prefix cache")
                .arg(stats.promptTokens)
                .arg(stats.cachedTokens));
}

void writeAction(QTextCursor& cursor, const TextStyle& style, const QString& address, const QString& label,
                 const QString& tip)
{
    if (!cursor.atBlockStart())
        cursor.insertText(kActionGap, style.quiet);
    QTextCharFormat format = style.quiet;
    format.setAnchor(true);
    format.setAnchorHref(address);
    format.setUnderlineStyle(QTextCharFormat::SingleUnderline);
    format.setUnderlineColor(style.underline);
    format.setToolTip(tip);
    cursor.insertText(label, format);
}

} // namespace vitrine::ui
