// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/chat_template.h"

namespace vitrine {

/// What ends each of its turns: in some vocabularies no token, but a text of several.
inline constexpr std::string_view kChatMlEndOfTurn = "<|im_end|>";

/// `<|im_start|>role\ncontent<|im_end|>\n`, as OpenAI introduced it and many families use it: for models that
/// bring no template, or one that cannot be used.
class ChatMlTemplate final : public ChatTemplate {
public:
    /// `defaultSystem` opens a conversation that does not begin with a system message, where it is given.
    explicit ChatMlTemplate(std::optional<std::string> defaultSystem)
        : m_defaultSystem(std::move(defaultSystem))
    {
    }

    [[nodiscard]] Result<RenderedChat> render(std::span<const ChatMessage> messages,
                                              const ChatTemplateOptions& options) const override;
    [[nodiscard]] std::string name() const override { return "ChatML"; }

private:
    std::optional<std::string> m_defaultSystem;
};

} // namespace vitrine
