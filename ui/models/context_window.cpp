// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/context_window.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace vitrine::ui {
namespace {

/// Byte-level vocabularies need a token for 3 to 4 bytes of prose; 3 errs on the safe side.
constexpr std::int32_t kBytesPerToken = 3;
/// Role marker and end of turn around each message, and the marker that asks for the answer.
constexpr std::int32_t kTokensPerTurn = 8;

int utf8Bytes(QChar c)
{
    return c < QChar(0x80) ? 1 : c < QChar(0x800) || c.isSurrogate() ? 2 : 3;
}

/// As a turn of a chat.
std::int32_t estimate(const QString& text)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() / 2; // sums stay in range
    return static_cast<std::int32_t>(std::min(kMost, estimatedTokens(text) + kTokensPerTurn));
}

bool isSent(const Message& message)
{
    const bool isEmpty = message.text.isEmpty() && message.reasoning.isEmpty();
    return message.role == Role::User || (message.role == Role::Assistant && !isEmpty);
}

/// Of what the engine has counted; templates leave out what was thought before.
std::int32_t answerTokens(const Message& answer)
{
    const auto all = static_cast<double>(answer.text.size() + answer.reasoning.size());
    const double share = answer.reasoning.isEmpty() ? 1 : static_cast<double>(answer.text.size()) / all;
    return static_cast<std::int32_t>(answer.stats.generatedTokens * share);
}

std::string_view roleName(Role role)
{
    return role == Role::User ? "user" : "assistant";
}

std::int32_t estimateFrom(const ChatSession& session, MessageId first)
{
    std::int32_t tokens = session.systemPrompt.isEmpty() ? 0 : estimate(session.systemPrompt);
    for (const Message& message : session.messages) {
        if (message.id >= first && isSent(message))
            tokens += estimate(message.text);
    }
    return tokens;
}

} // namespace

std::int64_t estimatedTokens(QStringView text)
{
    std::int64_t bytes = 0;
    for (const QChar c : text)
        bytes += utf8Bytes(c);
    return bytes / kBytesPerToken;
}

std::int32_t contextTokens(const ChatSession& session)
{
    std::int32_t after = 0;
    for (auto message = session.messages.rbegin(); message != session.messages.rend(); ++message) {
        if (message->id < session.firstSent)
            break;
        if (message->stats.promptTokens > 0 && message->sentFrom == session.firstSent)
            return message->stats.promptTokens + answerTokens(*message) + after;
        if (isSent(*message))
            after += estimate(message->text);
    }
    return estimateFrom(session, session.firstSent);
}

bool outgrows(const ChatSession& session, std::int32_t limit, std::int32_t answerTokens)
{
    return contextTokens(session) > limit - std::max(limit / 8, answerTokens);
}

std::optional<MessageId> cutToHalf(const ChatSession& session, std::int32_t limit)
{
    std::vector<MessageId> turns;
    for (const Message& message : session.messages) {
        if (message.id >= session.firstSent && message.role == Role::User)
            turns.push_back(message.id);
    }
    if (turns.size() < 2)
        return std::nullopt;
    // Estimates are scaled by what the engine counted, where it counted, so that they err little.
    const double estimated = std::max(1, estimateFrom(session, session.firstSent));
    const double scale = contextTokens(session) / estimated;
    const auto fits = [&](MessageId first) { return scale * estimateFrom(session, first) <= limit / 2.0; };
    const auto cut = std::find_if(turns.begin() + 1, turns.end(), fits);
    return cut == turns.end() ? turns.back() : *cut;
}

std::vector<ChatMessage> promptOf(const ChatSession& session)
{
    std::vector<ChatMessage> prompt;
    if (!session.systemPrompt.isEmpty())
        prompt.push_back({"system", session.systemPrompt.toStdString()});
    for (const Message& message : session.messages) {
        if (message.id >= session.firstSent && isSent(message))
            prompt.push_back({std::string(roleName(message.role)), message.text.toStdString(),
                              message.reasoning.toStdString()});
    }
    return prompt;
}

std::vector<MessageId> sentMessages(const ChatSession& session)
{
    std::vector<MessageId> ids;
    if (!session.systemPrompt.isEmpty())
        ids.push_back({});
    for (const Message& message : session.messages) {
        if (message.id >= session.firstSent && isSent(message))
            ids.push_back(message.id);
    }
    return ids;
}

} // namespace vitrine::ui
