// SPDX-License-Identifier: GPL-3.0-or-later
// What of a conversation is sent to the model when not all of it fits: the system prompt and the newest
// turns.
#pragma once
#include "ui/models/chat_session.h"

#include <QStringView>

#include <cstdint>
#include <optional>
#include <vector>

namespace vitrine::ui {

/// Tokens of the conversation from `session.firstSent` on. Counted by the engine for what it has seen (the
/// last answer's prompt and length), estimated from the text for what came after.
[[nodiscard]] std::int32_t contextTokens(const ChatSession& session);

/// Of a text, from its length alone: vocabularies differ, and only the engine can count.
[[nodiscard]] std::int64_t estimatedTokens(QStringView text);

/// The first message to send so that the conversation takes at most half of `limit`: cutting deep and seldom
/// keeps the following prompts' prefix, and so its cached blocks. Cuts before a user's message, never the
/// last one. Empty: there is nothing that could be cut.
[[nodiscard]] std::optional<MessageId> cutToHalf(const ChatSession& session, std::int32_t limit);

/// True where `answerTokens`, and an eighth of `limit` at least, would no longer fit behind the conversation.
[[nodiscard]] bool outgrows(const ChatSession& session, std::int32_t limit, std::int32_t answerTokens = 0);

/// System prompt and messages as the chat template wants them, without notices and empty answers.
[[nodiscard]] std::vector<ChatMessage> promptOf(const ChatSession& session);
/// Which message each of promptOf() is; 0 for the system prompt.
[[nodiscard]] std::vector<MessageId> sentMessages(const ChatSession& session);

} // namespace vitrine::ui
