// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/request.h"
#include "engine/text/tokenizer.h"

#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct ChatTemplateOptions {
    bool addGenerationPrompt = true; ///< end with what opens the assistant's turn
    std::string bosToken{};          ///< the text that bos_token stands for in the template
    std::string eosToken{};
    std::optional<std::time_t>
        now{}; ///< what a template takes for the present; the clock where it is not given
};

/// A conversation as the text that the model continues.
struct RenderedChat {
    std::string text;
    /// Where `text` is what the messages say, not what the template says: control tokens there are plain text
    /// (TokenizeOptions::plain), so that "<|im_end|>" typed by a user stays what was typed.
    std::vector<TextRange> userText;
};

class ChatTemplate {
public:
    virtual ~ChatTemplate() = default;
    /// An Error where the template refuses the conversation (two user turns in a row, an unknown role).
    [[nodiscard]] virtual Result<RenderedChat> render(std::span<const ChatMessage> messages,
                                                      const ChatTemplateOptions& options) const = 0;
    /// The family it belongs to ("ChatML", "Llama 3"), for people.
    [[nodiscard]] virtual std::string name() const = 0;
};

/// The template of that text (Jinja, as in `tokenizer.chat_template`); an Error where it cannot be used.
[[nodiscard]] Result<std::unique_ptr<ChatTemplate>> parseChatTemplate(std::string_view source);

/// `<|im_start|>role\ncontent<|im_end|>\n`; `defaultSystem` opens a conversation that does not begin with a
/// system message, where it is given.
[[nodiscard]] std::unique_ptr<ChatTemplate> chatMlTemplate(std::optional<std::string> defaultSystem = {});

struct ChosenChatTemplate {
    std::unique_ptr<ChatTemplate> chatTemplate; ///< never null
    std::optional<std::string> warning;         ///< why it is a fallback, for people to see
};

/// The model's own template where it has one that can be used; otherwise ChatML, with a warning that says
/// why.
[[nodiscard]] ChosenChatTemplate chooseChatTemplate(std::optional<std::string_view> source);

} // namespace vitrine
