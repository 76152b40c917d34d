// SPDX-License-Identifier: GPL-3.0-or-later
// How messages are written into their frames; conversation_document.cpp says when.
#include "ui/chat/answer_lines.h"
#include "ui/chat/conversation_document.h"
#include "ui/chat/edit_block.h"
#include "ui/chat/excerpt.h"
#include "ui/chat/markdown_writer.h"
#include "ui/chat/source_map.h"
#include "ui/models/chat_book.h"
#include "ui/models/number_text.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextFrame>

namespace vitrine::ui {
namespace {

constexpr int kQuestionPadding = 9;
constexpr int kFirstLineDrop = 3;

FrameKind kindOf(const Message& message)
{
    switch (message.role) {
    case Role::User:
        return FrameKind::Question;
    case Role::Notice:
        return FrameKind::Notice;
    case Role::Assistant:
        break;
    }
    return message.state == MessageState::Failed ? FrameKind::Failure : FrameKind::Plain;
}

QTextFrameFormat frameFormat(const TextStyle& style, FrameKind kind)
{
    QTextFrameFormat format = style.messageFrame(kind == FrameKind::Plain ? 0 : kQuestionPadding);
    format.setProperty(kFrameKind, static_cast<int>(kind));
    return format;
}

/// The line height's air stands below the letters; on a ground of its own the text would seem to hang.
void dropFirstLine(const QTextCursor& cursor)
{
    QTextCursor first = cursor.currentFrame()->firstCursorPosition();
    QTextBlockFormat format = first.blockFormat();
    format.setTopMargin(kFirstLineDrop);
    first.setBlockFormat(format);
}

SourcePen penFor(QTextCursor& cursor, SourceMap& map, TextPart part, const QTextFrame& frame)
{
    return {cursor, map, part, frame.firstPosition()};
}

const QString kShownMark = QStringLiteral("\u25BE ");
const QString kHiddenMark = QStringLiteral("\u25B8 ");

} // namespace

void ConversationDocument::writePart(Part& part, const Message& message)
{
    if (message.id == m_streaming)
        m_pending.clear(); // is in the message already
    const EditBlock together(this);
    QTextFrame* frame = part.frame;
    part.map.clear();
    part.streamed = {};
    frame->setFrameFormat(frameFormat(m_style, kindOf(message)));
    QTextCursor cursor = frame->firstCursorPosition();
    cursor.setPosition(frame->lastPosition(), QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    cursor.setBlockFormat(m_style.paragraph);
    switch (message.role) {
    case Role::User:
        return writeQuestion(cursor, part, message);
    case Role::Notice:
        return writeNotice(cursor, message);
    case Role::Assistant:
        return writeAnswer(cursor, part, message);
    }
}

void ConversationDocument::writeQuestion(QTextCursor& cursor, Part& part, const Message& message)
{
    cursor.setBlockFormat(m_style.footer);
    const Excerpt shown = excerptOf(message.text);
    SourcePen pen = penFor(cursor, part.map, TextPart::Said, *part.frame);
    pen.write(message.text.left(shown.headEnd), 0, m_style.body);
    if (!shown.isWhole()) {
        writeGap(cursor, TextPart::Said, message, shown);
        pen.write(message.text.mid(shown.tailBegin), static_cast<int>(shown.tailBegin), m_style.body);
    }
    dropFirstLine(cursor);
}

void ConversationDocument::writeNotice(QTextCursor& cursor, const Message& message)
{
    cursor.setBlockFormat(m_style.footer);
    cursor.insertText(message.text, m_style.notice);
    dropFirstLine(cursor);
}

void ConversationDocument::writeAnswer(QTextCursor& cursor, Part& part, const Message& message)
{
    if (!message.reasoning.isEmpty())
        writeReasoning(cursor, part, message);
    SourcePen pen = penFor(cursor, part.map, TextPart::Said, *part.frame);
    if (message.state == MessageState::Streaming || message.text.size() > kMostShown)
        writePlain(cursor, part, TextPart::Said, message);
    else
        writeMarkdown(pen, message.text, m_style);
    if (message.state == MessageState::Failed)
        writeFailure(cursor, message);
    else if (!message.note.isEmpty()) {
        cursor.insertBlock(m_style.paragraph);
        cursor.insertText(message.note, m_style.notice);
    }
    const bool isEmpty = cursor.block().length() == 1 && message.state != MessageState::Streaming;
    if (isEmpty)
        cursor.setBlockFormat(m_style.footer);
    else
        cursor.insertBlock(m_style.footer);
    writeFooter(cursor, message);
}

bool ConversationDocument::showsReasoning(const Message& message) const
{
    const auto chosen = m_reasoningShown.find(message.id);
    return chosen != m_reasoningShown.end() ? chosen->second : message.text.isEmpty();
}

/// What a model thought first stands before its answer, quiet, and as it is.
void ConversationDocument::writeReasoning(QTextCursor& cursor, Part& part, const Message& message)
{
    const bool shown = showsReasoning(message);
    const QString label = (shown ? kShownMark : kHiddenMark) + tr("Reasoning");
    writeAction(cursor, m_style, linkTo(link::kReasoning, message.id), label,
                shown ? tr("Hide what the model thought before it answered")
                      : tr("Show what the model thought before it answered"));
    if (shown) {
        writeAction(cursor, m_style, linkTo(link::kCopyReasoning, message.id), tr("Copy reasoning"),
                    tr("Copy what the model thought before it answered"));
        cursor.insertBlock(m_style.aside);
        writePlain(cursor, part, TextPart::Thought, message);
    }
    if (!message.text.isEmpty())
        cursor.insertBlock(m_style.paragraph);
}

void ConversationDocument::writePlain(QTextCursor& cursor, Part& part, TextPart what, const Message& message)
{
    const QString& text = what == TextPart::Said ? message.text : message.reasoning;
    const Excerpt shown = excerptOf(text);
    writeStreaming(cursor, part, what, text.left(shown.headEnd), 0);
    if (shown.isWhole())
        return;
    writeGap(cursor, what, message, shown);
    writeStreaming(cursor, part, what, text.mid(shown.tailBegin), shown.tailBegin);
}

/// Says what is missing, and how to get at it. The cursor ends in a paragraph of its own.
void ConversationDocument::writeGap(QTextCursor& cursor, TextPart what, const Message& message,
                                    const Excerpt& excerpt)
{
    const bool isSaid = what == TextPart::Said;
    const QTextBlockFormat around = cursor.blockFormat();
    if (!cursor.atBlockStart())
        cursor.insertBlock(around);
    cursor.setBlockFormat(isSaid ? m_style.paragraph : m_style.aside);
    const qsizetype all = isSaid ? message.text.size() : message.reasoning.size();
    cursor.insertText(
        tr("⋯ %1 of %2 characters are not shown here").arg(number(excerpt.hidden()), number(all)),
        m_style.quiet);
    writeAction(cursor, m_style, linkTo(isSaid ? link::kRead : link::kReadReasoning, message.id),
                tr("Read all"), tr("The whole text, page by page, to search and to save"));
    writeAction(cursor, m_style, linkTo(isSaid ? link::kCopy : link::kCopyReasoning, message.id),
                tr("Copy all"), tr("Copy the whole text"));
    cursor.insertBlock(around);
    cursor.setBlockCharFormat(isSaid ? m_style.body : m_style.quiet);
}

void ConversationDocument::writeFailure(QTextCursor& cursor, const Message& message)
{
    if (!message.text.isEmpty())
        cursor.insertBlock(m_style.paragraph);
    QTextCharFormat bold = m_style.error;
    bold.setFontWeight(QFont::Bold);
    cursor.insertText(tr("No answer: "), bold);
    cursor.insertText(message.note, m_style.error);
}

void ConversationDocument::writeFooter(QTextCursor& cursor, const Message& message)
{
    if (message.state == MessageState::Streaming) {
        cursor.insertText(m_status, m_style.quiet);
        return;
    }
    writeFigures(cursor, message, m_style);
    if (!message.text.isEmpty())
        writeAction(cursor, m_style, linkTo(link::kCopy, message.id), tr("Copy"), tr("Copy this answer"));
    if (isLastAnswer(message.id) && message.refusedByTemplate)
        writeAction(cursor, m_style, linkTo(link::kChatMl, message.id), tr("Answer in the ChatML format"),
                    tr("The model's own template refuses this chat; ChatML is the most common format"));
    if (isLastAnswer(message.id))
        writeAction(cursor, m_style, linkTo(link::kAgain, message.id), tr("Regenerate"),
                    tr("Replace this answer by a new one (Ctrl+R)"));
    else
        writeAction(cursor, m_style, linkTo(link::kBranch, message.id), tr("Branch"),
                    tr("Answer again in a new chat that shares everything before this answer"));
}

/// As the finished answer will have it, no empty paragraph stands where the model writes an empty line.
void ConversationDocument::writeStreaming(QTextCursor& cursor, Part& part, TextPart what, const QString& text,
                                          qsizetype source)
{
    const bool isAnswer = what == TextPart::Said;
    part.streamed[static_cast<std::size_t>(what)] += text.size();
    SourcePen pen = penFor(cursor, part.map, what, *part.frame);
    const QStringList lines = text.split(QChar('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0 && !cursor.atBlockStart())
            cursor.insertBlock(isAnswer ? m_style.paragraph : m_style.aside);
        pen.write(lines[i], static_cast<int>(source), isAnswer ? m_style.body : m_style.quiet);
        source += lines[i].size() + 1;
    }
}

} // namespace vitrine::ui
