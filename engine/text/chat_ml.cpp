// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_ml.h"

namespace vitrine {
namespace {

// The source as SmolLM2, Qwen2 and others write it, in three parts around the default system message.
constexpr std::string_view kLoop = "{% for message in messages %}";
constexpr std::string_view kBeforeDefault = "{% if loop.first and messages[0]['role'] != 'system' %}"
                                            "{{ '<|im_start|>system\n";
constexpr std::string_view kAfterDefault = "<|im_end|>\n' }}{% endif %}";
constexpr std::string_view kTurns =
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Line breaks inside Jinja's strings may be written as they are or as an escape.
std::string withLineBreaks(std::string_view source)
{
    std::string text(source);
    for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at))
        text.replace(at, 2, "\n");
    return text;
}

bool consume(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

void addTurn(RenderedChat& chat, std::string_view role, std::string_view content, bool fromUser)
{
    chat.text.append("<|im_start|>").append(role).append("\n");
    if (fromUser && !content.empty())
        chat.userText.push_back({chat.text.size(), chat.text.size() + content.size()});
    chat.text.append(content).append("<|im_end|>\n");
}

} // namespace

std::unique_ptr<ChatMlTemplate> ChatMlTemplate::recognise(std::string_view source)
{
    const std::string text = withLineBreaks(source);
    std::string_view rest = text;
    if (!consume(rest, kLoop))
        return nullptr;
    std::optional<std::string> defaultSystem;
    if (consume(rest, kBeforeDefault)) {
        const std::size_t end = rest.find(kAfterDefault);
        if (end == std::string_view::npos ||
            rest.substr(0, end).find_first_of("'\\") != std::string_view::npos)
            return nullptr;
        defaultSystem = rest.substr(0, end);
        rest.remove_prefix(end + kAfterDefault.size());
    }
    // Jinja leaves out one line break at the end of a template.
    if (!consume(rest, kTurns) || !(rest.empty() || rest == "\n"))
        return nullptr;
    return std::make_unique<ChatMlTemplate>(std::move(defaultSystem));
}

Result<RenderedChat> ChatMlTemplate::render(std::span<const ChatMessage> messages,
                                            const ChatTemplateOptions& options) const
{
    RenderedChat chat;
    if (m_defaultSystem && !messages.empty() && messages.front().role != "system")
        addTurn(chat, "system", *m_defaultSystem, false);
    for (const ChatMessage& message : messages)
        addTurn(chat, message.role, message.content, true);
    if (options.addGenerationPrompt)
        chat.text += "<|im_start|>assistant\n";
    return chat;
}

} // namespace vitrine
