// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/host/engine_host.h"
#include "ui/models/chat_book.h"

#include <QObject>

#include <optional>
#include <unordered_map>

namespace vitrine::ui {

/// Brings questions to the engine and answers into the book. Any number of chats stream at once, one answer
/// each.
class ChatController : public QObject {
    Q_OBJECT
public:
    ChatController(EngineHost& host, ChatBook& book, QObject* parent = nullptr);

    [[nodiscard]] ChatBook& book() { return m_book; }
    /// The sequence that computes the chat's answer; empty: not busy, or not yet accepted by the engine.
    [[nodiscard]] std::optional<SequenceId> sequenceOf(ChatId chat) const;

    struct AnswerPlace {
        ChatId chat;
        MessageId message;
    };
    /// Until the engine's last word.
    [[nodiscard]] std::optional<AnswerPlace> answerOf(RequestId request) const;

    void setSampling(const SamplingOptions& sampling) { m_sampling = sampling; }
    /// Tokens a conversation may have; 0: not known, nothing is cut before the engine refuses it.
    void setContextLimit(int tokens) { m_contextLimit = tokens; }

    // A chat whose messages cannot be read (ChatBook::readWhole) stays as it is, whatever is asked for.

    /// False, and nothing is done, while the chat is busy or where the text is blank. `maxTokens` 0: as many
    /// as fit.
    bool submit(ChatId chat, const QString& text, int maxTokens = 0);
    /// The answer is marked as stopped at once; the engine frees its blocks within one step.
    void stop(ChatId chat);
    /// The last answer is made anew in its place.
    void regenerate(ChatId chat);
    /// The same in the ChatML format, which this chat keeps for this run: for a chat that the model's
    /// template refuses.
    void regenerateAsChatMl(ChatId chat);
    /// A new chat that shares everything before `answer` and answers anew; the old one stays as it is. `chat`
    /// itself where it cannot be read.
    ChatId branch(ChatId chat, MessageId answer);
    /// Stops and takes out of the book; kept for undoRemove() until the next one. False where it stays.
    bool remove(ChatId chat);
    void undoRemove();

signals:
    void sequenceStarted(vitrine::SequenceId sequence, vitrine::ui::ChatId chat);
    /// Whichever way it ended; the message tells.
    void answerEnded(vitrine::ui::ChatId chat, vitrine::ui::MessageId message);

private:
    struct Answer {
        ChatId chat;
        MessageId message;
        int maxTokens = 0;
        std::optional<SequenceId> sequence;
    };

    [[nodiscard]] const ChatSession* wholeChat(ChatId chat);
    void ask(Answer answer);
    void makeRoom(ChatId chat, int maxTokens);
    void sendFrom(ChatId chat, MessageId first);
    void onAccepted(const report::Accepted& accepted);
    void onText(const std::vector<report::TextDelta>& deltas);
    void onFinished(const report::Finished& finished);
    bool retryShorter(const Answer& answer, const report::Finished& finished);
    void conclude(Message& message, const report::Finished& finished, int maxTokens) const;
    [[nodiscard]] static QString onlyReasoningNote();
    [[nodiscard]] QString contextFullNote() const;

    EngineHost& m_host;
    ChatBook& m_book;
    SamplingOptions m_sampling;
    int m_contextLimit = 0;
    std::unordered_map<RequestId, Answer> m_answers; ///< until the engine's last word, also after stop()
    std::unordered_map<ChatId, RequestId> m_current; ///< of the chats that are busy
    std::optional<ChatSession> m_removed;
};

} // namespace vitrine::ui
