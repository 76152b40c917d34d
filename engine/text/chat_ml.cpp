// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_ml.h"

namespace vitrine {
namespace {

void addTurn(RenderedChat& chat, std::string_view role, std::string_view content, bool fromUser)
{
    chat.text.append("<|im_start|>").append(role).append("\n");
    if (fromUser && !content.empty())
        chat.userText.push_back({chat.text.size(), chat.text.size() + content.size()});
    chat.text.append(content).append("<|im_end|>\n");
}

} // namespace

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
