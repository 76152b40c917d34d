// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/end_of_turn.h"

#include "engine/text/prompt_encoder.h"
#include "engine/text/reasoning.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace vitrine {
namespace {

/// No template says this by itself.
constexpr std::string_view kAnswer = "vitrine0answer1ends2here";
constexpr std::string_view kQuestion = "vitrine3asks4another5thing";
constexpr std::string_view kWhiteSpace = " \t\r\n";

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
        const std::string_view rest = std::string_view(chat->text).substr(begin + kAnswer.size());
        const std::string_view after = rest.substr(0, rest.find(kQuestion));
        const std::size_t visible = after.find_first_not_of(kWhiteSpace);
        if (visible != std::string_view::npos)
            return std::string(after.substr(visible));
        messages.push_back({"user", std::string(kQuestion)});
    }
    return {};
}

/// Reasoning belongs to the answer.
bool beginsWithReasoningMarker(std::string_view text)
{
    return std::ranges::any_of(reasoningMarkers(), [text](const ReasoningMarkers& markers) {
        return text.starts_with(markers.open) || text.starts_with(markers.close);
    });
}

/// The marker that the text begins with: in brackets, or a line that begins as no sentence does.
std::string_view markerAt(std::string_view text)
{
    constexpr std::string_view kOpening = "<[{#|";
    constexpr std::string_view kClosing = ">]}";
    constexpr std::size_t kLeast = 3; // less is found in any text
    constexpr std::size_t kMost = 64;
    if (text.empty() || beginsWithReasoningMarker(text))
        return {};
    const std::size_t kind = kOpening.find(text.front());
    std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    if (kind == std::string_view::npos)
        return {};
    if (kind < kClosing.size())
        line = line.substr(0, std::min(line.find(kClosing[kind]), line.size() - 1) + 1);
    line = line.substr(0, line.find_last_not_of(kWhiteSpace) + 1);
    const bool isRule = line.find_first_not_of(line.front()) == std::string_view::npos; // "###": any heading
    return line.size() >= kLeast && line.size() <= kMost && !isRule ? line : std::string_view();
}

} // namespace

EndOfTurn endOfTurn(const ChatTemplate& chatTemplate, const Tokenizer& tokenizer)
{
    const Vocabulary& vocabulary = tokenizer.vocabulary();
    const std::string after = textAfterAnswer(chatTemplate, vocabulary);
    const auto token = tokenizer.controlTokenAt(after);
    if (!token)
        return {{}, std::string(markerAt(after))};
    const bool beginsAnotherPart = token == vocabulary.bos() || vocabulary.marksReasoning(*token);
    return beginsAnotherPart ? EndOfTurn{} : EndOfTurn{token, {}};
}

} // namespace vitrine
