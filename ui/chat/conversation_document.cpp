// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/conversation_document.h"

#include "ui/chat/answer_lines.h"
#include "ui/chat/edit_block.h"
#include "ui/chat/excerpt.h"
#include "ui/models/chat_book.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QScopedValueRollback>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextLayout>

#include <algorithm>
#include <ranges>
#include <utility>

namespace vitrine::ui {
namespace {

/// Each change of the text repaints the page; faster than this nobody reads.
constexpr int kFlushMillis = 100;

/// Of a chat that is opened, so many characters are laid out, and so many messages.
constexpr qsizetype kMostOpened = 60'000;
constexpr std::size_t kMostMessages = 200;
/// From Hebrew on, scripts come from other fonts, are shaped, or may break between any two characters: to lay
/// out one of them takes as long as so many Latin ones.
constexpr QChar kFirstDear(0x0590);
constexpr qsizetype kDear = 4;

qsizetype costOf(QStringView text)
{
    return text.size() + (kDear - 1) * std::ranges::count_if(text, [](QChar c) { return c >= kFirstDear; });
}

qsizetype costOfShown(QStringView text)
{
    const Excerpt shown = excerptOf(text);
    return costOf(text.first(shown.headEnd)) + costOf(text.sliced(shown.tailBegin));
}

/// How many of the messages, at least one, are opened together.
template<typename Messages>
std::size_t openedTogether(const Messages& messages)
{
    std::size_t count = 0;
    qsizetype cost = 0;
    for (const Message& message : messages | std::views::take(kMostMessages)) {
        cost += costOfShown(message.text) + costOfShown(message.reasoning);
        if (count > 0 && cost > kMostOpened)
            break;
        ++count;
    }
    return count;
}

using Place = std::vector<Message>::const_iterator;

/// Where the messages before `end` begin that are opened together.
Place openedBefore(Place begin, Place end)
{
    const auto count = openedTogether(std::ranges::subrange(begin, end) | std::views::reverse);
    return end - static_cast<std::ptrdiff_t>(count);
}

Place placeOf(const std::vector<Message>& messages, MessageId message)
{
    return std::ranges::lower_bound(messages, message, {}, &Message::id);
}

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
    const EditBlock together(this);
    setDefaultFont(m_style.font);
    const ChatSession* session = m_book.find(m_chat);
    if (session == nullptr || session->messages.empty())
        return;
    const std::vector<Message>& messages = session->messages;
    if (m_first == MessageId{})
        m_first = openedBefore(messages.begin(), messages.end())->id;
    const Place first = placeOf(messages, m_first);
    const Place gap = placeOf(messages, m_gapEnd == MessageId{} ? m_first : m_gapBegin);
    const Place newest = placeOf(messages, newestRun());
    if (first != messages.begin())
        writeMissing(link::kEarlier, tr("Show earlier messages"),
                     static_cast<std::size_t>(first - messages.begin()));
    std::for_each(first, gap, [this](const Message& message) { addPart(message); });
    if (gap != newest)
        writeMissing(link::kBetween, tr("Show more of the messages between"),
                     static_cast<std::size_t>(newest - gap));
    std::for_each(newest, messages.end(), [this](const Message& message) { addPart(message); });
}

void ConversationDocument::writeMissing(const QString& what, const QString& text, std::size_t messages)
{
    const int count = static_cast<int>(messages);
    QTextCursor cursor(this);
    cursor.movePosition(QTextCursor::End);
    cursor.setBlockFormat(m_style.footer);
    writeAction(cursor, m_style, linkTo(what, {}), text,
                what == link::kEarlier ? tr("%Ln earlier message(s) are not shown", nullptr, count)
                                       : tr("%Ln message(s) are not shown here", nullptr, count));
    cursor.insertBlock(m_style.separator(kGap));
}

void ConversationDocument::showEarlier()
{
    const std::vector<Message>& messages = m_book.find(m_chat)->messages;
    const Place shown = placeOf(messages, m_first);
    if (shown == messages.begin())
        return;
    m_first = openedBefore(messages.begin(), shown)->id;
    rebuild();
}

void ConversationDocument::showBetween()
{
    const std::vector<Message>& messages = m_book.find(m_chat)->messages;
    if (m_gapEnd == MessageId{})
        return;
    const Place gap = placeOf(messages, m_gapBegin);
    const Place newest = openedBefore(gap, placeOf(messages, m_gapEnd));
    m_gapEnd = newest == gap ? MessageId{} : newest->id;
    rebuild();
}

void ConversationDocument::showFrom(MessageId message)
{
    if (partOf(message) != nullptr || messageOf(message) == nullptr || message > newestRun())
        return;
    const std::vector<Message>& messages = m_book.find(m_chat)->messages;
    const Place first = placeOf(messages, message);
    const Place newest = placeOf(messages, newestRun());
    const Place gap =
        first + static_cast<std::ptrdiff_t>(openedTogether(std::ranges::subrange(first, newest)));
    m_gapEnd = gap == newest ? MessageId{} : newest->id;
    m_gapBegin = gap == newest ? MessageId{} : gap->id;
    m_first = message;
    rebuild();
}

void ConversationDocument::addPart(const Message& message)
{
    QTextCursor cursor(this);
    cursor.movePosition(QTextCursor::End);
    cursor.setBlockFormat(m_style.separator(m_parts.empty() ? kGap : kGroupGap));
    QTextFrame* frame = cursor.insertFrame({}); // of which writePart() knows the format
    m_parts.push_back({message.id, frame, {}});
    writePart(m_parts.back(), message);
    endWithSeparator();
}

void ConversationDocument::appendPart(MessageId id)
{
    const Message& message = *m_book.find(m_chat)->find(id);
    addPart(message);
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
    if (part->streamed[static_cast<std::size_t>(m_pendingPart)] + text.size() > kMostShown)
        return writePart(*part, *message); // its end moves on
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
    if (first <= newestRun()) { // not all that is shown stays, or none
        m_first = m_gapBegin = m_gapEnd = {};
        return rebuild();
    }
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
