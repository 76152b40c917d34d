// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/chat_session.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace vitrine::ui {

/// All chats, newest first. The one place where a chat changes; whoever shows or stores chats listens here.
/// Whatever is given as a title becomes one by asTitle().
class ChatBook : public QObject {
    Q_OBJECT
public:
    explicit ChatBook(QObject* parent = nullptr);

    /// An empty chat at the top, in the first colour slot that no chat uses.
    ChatId add(const QString& title, const QString& systemPrompt);
    /// Chats of an earlier run, or one that was taken out. A title that was made from its first question, and
    /// that another chat has by now, is made distinct.
    void restore(ChatSession session);
    /// Out of the book, whole; the caller may restore() it. Nothing, and it stays, where it is not there or
    /// cannot be read.
    std::optional<ChatSession> take(ChatId chat);

    /// All messages of a chat that was restored with its last answer alone; nothing where they cannot be
    /// read, which the source tells the user.
    using MessageSource = std::function<std::optional<std::vector<Message>>(ChatId)>;
    void setMessageSource(MessageSource source) { m_source = std::move(source); }
    /// find(), with all messages: before a chat is shown, sent to the model or taken out. Where they cannot
    /// be read, the chat is not whole (ChatSession::isWhole), nothing may be added to it, and the next call
    /// tries again.
    const ChatSession* readWhole(ChatId chat);

    [[nodiscard]] int count() const { return static_cast<int>(m_sessions.size()); }
    [[nodiscard]] const ChatSession& at(int row) const { return *m_sessions[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(ChatId chat) const; ///< -1: not in the book
    [[nodiscard]] const ChatSession* find(ChatId chat) const;

    void setTitle(ChatId chat, const QString& text, bool byUser);
    /// `title`, or "title (2)" where another chat has it: by one title two chats cannot be told apart.
    [[nodiscard]] QString distinctTitle(ChatId chat, const QString& text) const;
    void setDraft(ChatId chat, const Draft& draft);
    void setFirstSent(ChatId chat, MessageId message);
    void setFormat(ChatId chat, ChatFormat format);

    /// `message.id` is chosen here.
    MessageId append(ChatId chat, Message message);
    void appendText(ChatId chat, MessageId message, const QString& text);
    void appendReasoning(ChatId chat, MessageId message, const QString& text);
    void edit(ChatId chat, MessageId message, const std::function<void(Message&)>& change);
    /// Removes the message and all that follow.
    void truncate(ChatId chat, MessageId first);

signals:
    void aboutToInsert(int row);
    void inserted(vitrine::ui::ChatId chat);
    void aboutToRemove(int row);
    void removed(vitrine::ui::ChatId chat);
    /// Title, draft or another fact beside the messages.
    void changed(vitrine::ui::ChatId chat);
    void messageAppended(vitrine::ui::ChatId chat, vitrine::ui::MessageId message);
    void textAppended(vitrine::ui::ChatId chat, vitrine::ui::MessageId message, const QString& text);
    void reasoningAppended(vitrine::ui::ChatId chat, vitrine::ui::MessageId message, const QString& text);
    void messageEdited(vitrine::ui::ChatId chat, vitrine::ui::MessageId message);
    void truncated(vitrine::ui::ChatId chat, vitrine::ui::MessageId first);

private:
    [[nodiscard]] ChatSession* session(ChatId chat);
    [[nodiscard]] Message* message(ChatId chat, MessageId id);
    [[nodiscard]] int firstFreeSlot() const;
    void insert(std::unique_ptr<ChatSession> session);

    std::vector<std::unique_ptr<ChatSession>> m_sessions; ///< descending ids
    MessageSource m_source;
    ChatId m_lastId;
};

} // namespace vitrine::ui
