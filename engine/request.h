// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/ids.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace vitrine {

struct ChatMessage {
    std::string role; ///< "system", "user" or "assistant"
    std::string content;
    std::string
        reasoning{}; ///< what an assistant has thought before; the template decides what is sent of it
    friend bool operator==(const ChatMessage&, const ChatMessage&) = default;
};

/// How the next token is chosen. Names and meaning as in other serving engines.
struct SamplingOptions {
    float temperature = 0.7f;       ///< 0: greedy
    std::int32_t topK = 0;          ///< 0: all
    float topP = 0.95f;             ///< 1: all
    float minP = 0.05f;             ///< 0: all
    float repetitionPenalty = 1.0f; ///< 1: none
    std::uint64_t seed = 0;         ///< 0: a fresh one for each request
    friend bool operator==(const SamplingOptions&, const SamplingOptions&) = default;
};

/// A conversation (put through the chat template), plain text, or token ids as they are.
using Prompt = std::variant<std::vector<ChatMessage>, std::string, std::vector<TokenId>>;

/// How a conversation becomes text.
enum class ChatFormat {
    OfModel, ///< by the model's chat template
    ChatMl,  ///< for conversations that the template refuses
};

struct Request {
    Prompt prompt;
    ChatFormat format = ChatFormat::OfModel;
    SamplingOptions sampling;
    std::int32_t maxTokens = 0;    ///< tokens to generate at most; 0: as many as fit
    std::vector<std::string> stop; ///< strings that end the answer and are not part of it
    std::int32_t priority = 0;     ///< lower goes first, under SchedulingPolicy::Priority
    bool ignoreEos = false;        ///< benchmarks: end tokens do not end the answer
};

struct RequestStats {
    std::int32_t promptTokens = 0;
    std::int32_t cachedTokens = 0; ///< of the prompt, found in the prefix cache
    std::int32_t generatedTokens = 0;
    std::int32_t preemptions = 0;
    double queueSeconds = 0;          ///< submission to the first step that computed it
    double ttftSeconds = 0;           ///< submission to first token
    double e2eSeconds = 0;            ///< submission to end
    double decodeTokensPerSecond = 0; ///< (generated − 1) / (end − first token); 0 for fewer than two tokens
};

} // namespace vitrine
