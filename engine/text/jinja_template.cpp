// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja_template.h"

#include <array>
#include <ctime>

namespace vitrine {
namespace {

struct Family {
    std::string_view mark; ///< stands in the source of its templates
    std::string_view name;
};
/// For people only; the template itself decides what is rendered.
constexpr std::array kFamilies{
    Family{"<|im_start|>", "ChatML"},
    Family{"<|start_header_id|>", "Llama 3"},
    Family{"<|header_start|>", "Llama 4"},
    Family{"<start_of_turn>", "Gemma"},
    Family{"<|turn>", "Gemma 4"},
    Family{"<|channel|>", "Harmony"},
    Family{"<|start_of_role|>", "Granite"},
    Family{"<|START_OF_TURN_TOKEN|>", "Command R"},
    Family{"<｜Assistant｜>", "DeepSeek"},
    Family{"<|im_middle|>", "Kimi"},
    Family{"[INST]", "Mistral"},
    Family{"<|assistant|>", "Phi"},
};

std::string familyName(std::string_view source)
{
    for (const Family& family : kFamilies) {
        if (source.find(family.mark) != std::string_view::npos)
            return std::string(family.name);
    }
    return "the model's own";
}

jinja::Value messageValue(const ChatMessage& message)
{
    jinja::Dict dict;
    dict.set("role", std::string_view(message.role));
    dict.set("content", jinja::Text(message.content, true));
    if (!message.reasoning.empty())
        dict.set("reasoning_content", jinja::Text(message.reasoning, true));
    return dict;
}

std::tm localTime(std::time_t now)
{
    std::tm local{};
    ::localtime_r(&now, &local);
    return local;
}

} // namespace

Result<std::unique_ptr<ChatTemplate>> JinjaChatTemplate::parse(std::string_view source)
{
    return jinja::Template::parse(source).map([&](jinja::Template parsed) {
        return std::unique_ptr<ChatTemplate>(new JinjaChatTemplate(std::move(parsed), familyName(source)));
    });
}

Result<RenderedChat> JinjaChatTemplate::render(std::span<const ChatMessage> messages,
                                               const ChatTemplateOptions& options) const
{
    std::vector<jinja::Value> list;
    for (const ChatMessage& message : messages)
        list.push_back(messageValue(message));
    const std::array<jinja::Template::Variable, 4> variables{{
        {"messages", jinja::Value::list(std::move(list))},
        {"add_generation_prompt", options.addGenerationPrompt},
        {"bos_token", std::string_view(options.bosToken)},
        {"eos_token", std::string_view(options.eosToken)},
    }};
    return m_template.render(variables, localTime(options.now.value_or(std::time(nullptr))))
        .map([](const jinja::Text& text) {
            return RenderedChat{text.bytes(), {text.userRanges().begin(), text.userRanges().end()}};
        });
}

} // namespace vitrine
