// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/conversation_document.h"

#include "ui/chat/answer_lines.h"
#include "ui/chat/markdown_writer.h"
#include "ui/chat/source_map.h"
#include "ui/models/chat_book.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QScopedValueRollback>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextLayout>

#include <algorithm>
#include <utility>

namespace vitrine::ui {
namespace {

constexpr int kQuestionPadding = 9;
constexpr int kFirstLineDrop = 3;
/// Each change of the text repaints the page; faster than this nobody reads.
constexpr int kFlushMillis = 100;

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

ConversationDocument::ConversationDocument(const ChatBook& book, ChatId chat, const TextStyle& style,
                                           QObject* parent)
    : QTextDocument(parent)
    , m_book(book)
    , m_chat(chat)
    , m_style(style)
{
    setUndoRedoEnabled(false);
    setDocumentMargin(0);
    m_flush.setSingleShot(true);
    m_flush.setInterval(kFlushMillis);
    connect(&m_flush, &QTimer::timeout, this, &ConversationDocument::flush);
    const auto mine = [this](auto handle) {
        return [this, handle](ChatId changed, MessageId message) {
            if (changed == m_chat)
                (this->*handle)(message);
        };
    };
    connect(&book, &ChatBook::messageAppended, this, mine(&ConversationDocument::appendPart));
    connect(&book, &ChatBook::messageEdited, this, mine(&ConversationDocument::refreshPart));
    connect(&book, &ChatBook::truncated, this, mine(&ConversationDocument::removeFrom));
    connect(&book, &ChatBook::textAppended, this,
            [this](ChatId changed, MessageId message, const QString& text) {
                if (changed == m_chat)
                    appendText(message, text);
            });
    connect(&book, &ChatBook::reasoningAppended, this,
            [this](ChatId changed, MessageId message, const QString& text) {
                if (changed == m_chat)
                    appendReasoning(message, text);
            });
    rebuild();
}

void ConversationDocument::setStyle(const TextStyle& style)
{
    m_style = style;
    rebuild();
}

void ConversationDocument::rebuild()
{
    clear();
    m_parts.clear();
    setDefaultFont(m_style.font);
    if (const ChatSession* session = m_book.find(m_chat)) {
        for (const Message& message : session->messages)
            appendPart(message.id);
    }
}

void ConversationDocument::appendPart(MessageId id)
{
    const Message& message = *m_book.find(m_chat)->find(id);
    QTextCursor cursor(this);
    cursor.movePosition(QTextCursor::End);
    cursor.setBlockFormat(m_style.separator(m_parts.empty() ? kGap : kGroupGap));
    QTextFrame* frame = cursor.insertFrame(frameFormat(m_style, kindOf(message)));
    m_parts.push_back({id, frame, {}});
    writePart(m_parts.back(), message);
    endWithSeparator();
    // What was the last answer before is so no more, and offers other actions now.
    const auto earlier = std::find_if(m_parts.rbegin() + 1, m_parts.rend(), [this](const Part& part) {
        return m_book.find(m_chat)->find(part.message)->role == Role::Assistant;
    });
    if (message.role == Role::Assistant && earlier != m_parts.rend())
        refreshPart(earlier->message);
}

void ConversationDocument::endWithSeparator()
{
    QTextCursor cursor(this);
    cursor.movePosition(QTextCursor::End);
    cursor.setBlockFormat(m_style.separator(kGap));
}

void ConversationDocument::writePart(Part& part, const Message& message)
{
    if (message.id == m_streaming)
        m_pending.clear(); // is in the message already
    QTextFrame* frame = part.frame;
    part.map.clear();
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
    penFor(cursor, part.map, TextPart::Said, *part.frame).write(message.text, 0, m_style.body);
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
    if (message.state == MessageState::Streaming)
        writeStreaming(cursor, part, TextPart::Said, message.text, 0);
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
        writeStreaming(cursor, part, TextPart::Thought, message.reasoning, 0);
    }
    if (!message.text.isEmpty())
        cursor.insertBlock(m_style.paragraph);
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

void ConversationDocument::refreshPart(MessageId id)
{
    Part* part = partOf(id);
    const Message* message = messageOf(id);
    if (part != nullptr && message != nullptr)
        writePart(*part, *message);
}

void ConversationDocument::appendText(MessageId id, const QString& text)
{
    const Message& message = *m_book.find(m_chat)->find(id);
    const bool isFirst = message.text.size() == text.size();
    if (isFirst && !message.reasoning.isEmpty())
        refreshPart(id); // the reasoning has ended
    else
        stream(id, text, TextPart::Said);
}

void ConversationDocument::appendReasoning(MessageId id, const QString& text)
{
    const Message& message = *m_book.find(m_chat)->find(id);
    const bool isFirst = message.reasoning.size() == text.size();
    if (isFirst || !message.text.isEmpty())
        refreshPart(id);
    else if (showsReasoning(message))
        stream(id, text, TextPart::Thought);
}

void ConversationDocument::stream(MessageId message, const QString& text, TextPart what)
{
    if (message != m_streaming || what != m_pendingPart)
        flush();
    m_streaming = message;
    m_pendingPart = what;
    m_pending += text;
    if (!m_flush.isActive())
        m_flush.start();
}

void ConversationDocument::flush()
{
    m_flush.stop();
    const QString text = std::exchange(m_pending, {});
    Part* part = partOf(m_streaming);
    const Message* message = messageOf(m_streaming);
    if (part == nullptr || message == nullptr || text.isEmpty())
        return;
    const QTextBlock footer = part->frame->lastCursorPosition().block();
    QTextCursor cursor(footer.previous());
    cursor.movePosition(QTextCursor::EndOfBlock);
    const QString& all = m_pendingPart == TextPart::Said ? message->text : message->reasoning;
    const QScopedValueRollback changing(m_unchangedAbove, lastLinesTop(cursor.block()));
    writeStreaming(cursor, *part, m_pendingPart, text, all.size() - text.size());
}

/// The last two: a word that goes on may move to a line of its own.
qreal ConversationDocument::lastLinesTop(const QTextBlock& block) const
{
    const QTextLayout& lines = *block.layout();
    const qreal top = documentLayout()->blockBoundingRect(block).top();
    return lines.lineCount() < 2 ? top : top + lines.lineAt(lines.lineCount() - 2).y();
}

/// As the finished answer will have it, no empty paragraph stands where the model writes an empty line.
void ConversationDocument::writeStreaming(QTextCursor& cursor, Part& part, TextPart what, const QString& text,
                                          qsizetype source)
{
    const bool isAnswer = what == TextPart::Said;
    SourcePen pen = penFor(cursor, part.map, what, *part.frame);
    const QStringList lines = text.split(QChar('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0 && !cursor.atBlockStart())
            cursor.insertBlock(isAnswer ? m_style.paragraph : m_style.aside);
        pen.write(lines[i], static_cast<int>(source), isAnswer ? m_style.body : m_style.quiet);
        source += lines[i].size() + 1;
    }
}

void ConversationDocument::toggleReasoning(MessageId id)
{
    const Message* message = messageOf(id);
    if (message == nullptr)
        return;
    m_reasoningShown[id] = !showsReasoning(*message);
    refreshPart(id);
}

bool ConversationDocument::isReasoningShown(MessageId id) const
{
    const Message* message = messageOf(id);
    return message != nullptr && !message->reasoning.isEmpty() && showsReasoning(*message);
}

QTextCursor ConversationDocument::reasoningLink(MessageId message) const
{
    const Part* part = partOf(message);
    if (part == nullptr)
        return {};
    QTextCursor cursor = part->frame->firstCursorPosition();
    for (auto at = cursor.block().begin(); !at.atEnd(); ++at) {
        const QTextFragment fragment = at.fragment();
        if (fragment.charFormat().anchorHref() != linkTo(link::kReasoning, message))
            continue;
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        break;
    }
    return cursor;
}

void ConversationDocument::setStatus(const QString& status)
{
    const ChatSession* session = m_book.find(m_chat);
    if (status == m_status || session == nullptr || !session->isBusy())
        return;
    m_status = status;
    if (const Part* part = partOf(session->lastAnswer()->id)) {
        QTextCursor cursor = part->frame->lastCursorPosition();
        cursor.movePosition(QTextCursor::StartOfBlock, QTextCursor::KeepAnchor);
        const QScopedValueRollback changing(m_unchangedAbove,
                                            documentLayout()->blockBoundingRect(cursor.block()).top());
        cursor.insertText(status, m_style.quiet);
    }
}

void ConversationDocument::removeFrom(MessageId first)
{
    const auto from = std::ranges::lower_bound(m_parts, first, {}, &Part::message);
    if (from == m_parts.end())
        return;
    QTextCursor cursor(this);
    cursor.setPosition(from->frame->firstPosition() - 1);
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    m_parts.erase(from, m_parts.end());
    cursor.removeSelectedText();
    endWithSeparator();
}

std::vector<MessageRange> ConversationDocument::rangesOf(const QTextCursor& selection) const
{
    std::vector<MessageRange> ranges;
    for (const Part& part : m_parts) {
        const int origin = part.frame->firstPosition();
        for (const TextPart what : {TextPart::Thought, TextPart::Said}) {
            const auto [begin, end] =
                part.map.source(what, selection.selectionStart() - origin, selection.selectionEnd() - origin);
            if (begin < end)
                ranges.push_back({part.message, begin, end, what});
        }
    }
    return ranges;
}

QTextCursor ConversationDocument::cursorOf(const MessageRange& range) const
{
    const Part* part = partOf(range.message);
    if (part == nullptr)
        return {};
    const auto [from, to] = part->map.shown(range.part, range.begin, range.end);
    QTextCursor cursor(part->frame->firstCursorPosition());
    const int origin = cursor.position();
    cursor.setPosition(origin + from);
    cursor.setPosition(origin + to, QTextCursor::KeepAnchor);
    return cursor;
}

const ConversationDocument::Part* ConversationDocument::partOf(MessageId message) const
{
    const auto found = std::ranges::lower_bound(m_parts, message, {}, &Part::message);
    return found != m_parts.end() && found->message == message ? &*found : nullptr;
}

ConversationDocument::Part* ConversationDocument::partOf(MessageId message)
{
    return const_cast<Part*>(std::as_const(*this).partOf(message)); // it is this document's own
}

const Message* ConversationDocument::messageOf(MessageId message) const
{
    const ChatSession* session = m_book.find(m_chat);
    return session == nullptr ? nullptr : session->find(message);
}

bool ConversationDocument::isLastAnswer(MessageId message) const
{
    const Message* last = m_book.find(m_chat)->lastAnswer();
    return last != nullptr && last->id == message;
}

} // namespace vitrine::ui
