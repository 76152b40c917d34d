// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_template.h"

#include "engine/text/chat_ml.h"
#include "engine/text/jinja_template.h"

namespace vitrine {

Result<std::unique_ptr<ChatTemplate>> parseChatTemplate(std::string_view source)
{
    return JinjaChatTemplate::parse(source);
}

std::unique_ptr<ChatTemplate> chatMlTemplate(std::optional<std::string> defaultSystem)
{
    return std::make_unique<ChatMlTemplate>(std::move(defaultSystem));
}

ChosenChatTemplate chooseChatTemplate(std::optional<std::string_view> source)
{
    if (!source)
        return {chatMlTemplate(), "the model has no chat template: ChatML is used, and answers may be odd"};
    Result<std::unique_ptr<ChatTemplate>> own = parseChatTemplate(*source);
    if (own)
        return {std::move(*own), std::nullopt};
    return {chatMlTemplate(),
            "ChatML is used in place of the model's own template, and answers may be odd: " +
                own.error().line()};
}

} // namespace vitrine
