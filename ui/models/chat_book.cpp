// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chat_book.h"

#include "ui/models/chat_title.h"

#include <QSet>

#include <algorithm>

namespace vitrine::ui {

ChatBook::ChatBook(QObject* parent)
    : QObject(parent)
{
}

ChatId ChatBook::add(const QString& title, const QString& systemPrompt)
{
    auto session = std::make_unique<ChatSession>();
    const ChatId id{m_lastId.value + 1};
    session->id = id;
    session->title = asTitle(title);
    session->slot = firstFreeSlot();
    session->systemPrompt = systemPrompt;
    insert(std::move(session));
    return id;
}

void ChatBook::restore(ChatSession session)
{
    if (rowOf(session.id) >= 0)
        return;
    session.title = asTitle(session.title);
    const auto hasTitle = [&](const auto& other) { return other->title == session.title; };
    const bool isNamed = !session.titledByUser && session.lastMessage != MessageId{};
    if (isNamed && std::ranges::any_of(m_sessions, hasTitle))
        session.title = distinctTitle(session.id, session.title);
    insert(std::make_unique<ChatSession>(std::move(session)));
}

void ChatBook::insert(std::unique_ptr<ChatSession> session)
{
    const ChatId id = session->id;
    m_lastId = std::max(m_lastId, id);
    const auto place = std::ranges::find_if(m_sessions, [id](const auto& other) { return other->id < id; });
    emit aboutToInsert(static_cast<int>(place - m_sessions.begin()));
    m_sessions.insert(place, std::move(session));
    emit inserted(id);
}

std::optional<ChatSession> ChatBook::take(ChatId chat)
{
    if (const ChatSession* whole = readWhole(chat); whole == nullptr || !whole->isWhole)
        return std::nullopt;
    const int row = rowOf(chat);
    emit aboutToRemove(row);
    ChatSession session = std::move(*m_sessions[static_cast<std::size_t>(row)]);
    m_sessions.erase(m_sessions.begin() + row);
    emit removed(chat);
    return session;
}

const ChatSession* ChatBook::readWhole(ChatId chat)
{
    ChatSession* target = session(chat);
    if (target == nullptr || target->isWhole)
        return target;
    if (auto messages = m_source ? m_source(chat) : std::nullopt) {
        // Once only: what a later answer adds here must not be replaced by what the disk has.
        target->isWhole = true;
        target->messages = std::move(*messages);
    }
    return target;
}

int ChatBook::rowOf(ChatId chat) const
{
    const auto found = std::ranges::find(m_sessions, chat, [](const auto& s) { return s->id; });
    return found == m_sessions.end() ? -1 : static_cast<int>(found - m_sessions.begin());
}

const ChatSession* ChatBook::find(ChatId chat) const
{
    const int row = rowOf(chat);
    return row < 0 ? nullptr : m_sessions[static_cast<std::size_t>(row)].get();
}

ChatSession* ChatBook::session(ChatId chat)
{
    const int row = rowOf(chat);
    return row < 0 ? nullptr : m_sessions[static_cast<std::size_t>(row)].get();
}

Message* ChatBook::message(ChatId chat, MessageId id)
{
    ChatSession* owner = session(chat);
    if (owner == nullptr)
        return nullptr;
    const auto found = std::ranges::lower_bound(owner->messages, id, {}, &Message::id);
    return found != owner->messages.end() && found->id == id ? &*found : nullptr;
}

int ChatBook::firstFreeSlot() const
{
    int slot = 0;
    while (std::ranges::any_of(m_sessions, [slot](const auto& s) { return s->slot == slot; }))
        ++slot;
    return slot;
}

void ChatBook::setTitle(ChatId chat, const QString& text, bool byUser)
{
    ChatSession* target = session(chat);
    const QString title = asTitle(text);
    if (target == nullptr || title.isEmpty() || (target->title == title && target->titledByUser == byUser))
        return;
    target->title = title;
    target->titledByUser = byUser;
    emit changed(chat);
}

QString ChatBook::distinctTitle(ChatId chat, const QString& text) const
{
    const QString title = asTitle(text);
    QSet<QString> taken;
    for (const auto& session : m_sessions)
        if (session->id != chat)
            taken.insert(session->title);
    QString distinct = title;
    for (int count = 2; taken.contains(distinct); ++count)
        distinct = asTitle(QStringLiteral("%1 (%2)").arg(title, QString::number(count)));
    return distinct;
}

void ChatBook::setDraft(ChatId chat, const Draft& draft)
{
    ChatSession* target = session(chat);
    if (target == nullptr || target->draft == draft)
        return;
    target->draft = draft;
    emit changed(chat);
}

void ChatBook::setFormat(ChatId chat, ChatFormat format)
{
    if (ChatSession* target = session(chat))
        target->format = format;
}

void ChatBook::setFirstSent(ChatId chat, MessageId message)
{
    ChatSession* target = session(chat);
    if (target == nullptr || target->firstSent == message)
        return;
    target->firstSent = message;
    emit changed(chat);
}

MessageId ChatBook::append(ChatId chat, Message message)
{
    ChatSession* target = session(chat);
    Q_ASSERT(target != nullptr);
    const MessageId id{target->lastMessage.value + 1};
    message.id = id;
    target->lastMessage = id;
    target->messages.push_back(std::move(message));
    emit messageAppended(chat, id);
    return id;
}

void ChatBook::appendText(ChatId chat, MessageId id, const QString& text)
{
    Message* target = message(chat, id);
    if (target == nullptr || text.isEmpty())
        return;
    target->text += text;
    emit textAppended(chat, id, text);
}

void ChatBook::appendReasoning(ChatId chat, MessageId id, const QString& text)
{
    Message* target = message(chat, id);
    if (target == nullptr || text.isEmpty())
        return;
    target->reasoning += text;
    emit reasoningAppended(chat, id, text);
}

void ChatBook::edit(ChatId chat, MessageId id, const std::function<void(Message&)>& change)
{
    Message* target = message(chat, id);
    if (target == nullptr)
        return;
    change(*target);
    emit messageEdited(chat, id);
}

void ChatBook::truncate(ChatId chat, MessageId first)
{
    ChatSession* target = session(chat);
    if (target == nullptr)
        return;
    const auto from = std::ranges::lower_bound(target->messages, first, {}, &Message::id);
    if (from == target->messages.end())
        return;
    target->messages.erase(from, target->messages.end());
    emit truncated(chat, first);
}

} // namespace vitrine::ui
