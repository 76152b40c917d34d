// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/end_of_turn.h"

#include "engine/text/prompt_encoder.h"

#include <string>
#include <string_view>

namespace vitrine {
namespace {

/// No template says this by itself.
constexpr std::string_view kAnswer = "vitrine0answer1ends2here";

/// What the template writes after an answer; where it writes nothing at the end of a conversation, what it
/// writes before the next question.
std::string textAfterAnswer(const ChatTemplate& chatTemplate, const Vocabulary& vocabulary)
{
    std::vector<ChatMessage> messages{{"user", "question"}, {"assistant", std::string(kAnswer)}};
    ChatTemplateOptions options = templateOptions(vocabulary);
    options.addGenerationPrompt = false;
    for (int turns = 1; turns <= 2; ++turns) {
        const Result<RenderedChat> chat = chatTemplate.render(messages, options);
        const std::size_t begin = chat ? chat->text.rfind(kAnswer) : std::string::npos;
        if (begin == std::string::npos)
            return {};
        const std::string_view after = std::string_view(chat->text).substr(begin + kAnswer.size());
        const std::size_t visible = after.find_first_not_of(" \t\r\n");
        if (visible != std::string_view::npos)
            return std::string(after.substr(visible));
        messages.push_back({"user", "question"});
    }
    return {};
}

} // namespace

std::optional<TokenId> endOfTurnToken(const ChatTemplate& chatTemplate, const Tokenizer& tokenizer)
{
    const std::string after = textAfterAnswer(chatTemplate, tokenizer.vocabulary());
    const auto token = tokenizer.controlTokenAt(after);
    return token && token != tokenizer.vocabulary().bos() ? token : std::nullopt;
}

} // namespace vitrine
