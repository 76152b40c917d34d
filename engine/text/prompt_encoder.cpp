// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/prompt_encoder.h"

#include <utility>

namespace vitrine {
namespace {

using Written = Result<PromptText>;

std::string textOf(std::optional<TokenId> token, const Vocabulary& vocabulary)
{
    return token ? std::string(vocabulary.bytes(*token)) : std::string();
}

Written encode(const std::vector<ChatMessage>& messages, const Tokenizer& tokenizer,
               const ChatTemplate& chatTemplate)
{
    return chatTemplate.render(messages, templateOptions(tokenizer.vocabulary())).map([&](RenderedChat chat) {
        PromptText prompt{std::move(chat.text), std::move(chat.userText), {}, {}};
        prompt.tokens =
            tokenizer.tokenize(prompt.text, {.addBos = true, .parseSpecial = true, .plain = prompt.said});
        return prompt;
    });
}

Written encode(const std::string& text, const Tokenizer& tokenizer, const ChatTemplate&)
{
    return PromptText{
        text, {{0, text.size()}}, tokenizer.tokenize(text, {.addBos = true, .parseSpecial = true}), {}};
}

Written encode(const std::vector<TokenId>& tokens, const Tokenizer& tokenizer, const ChatTemplate&)
{
    for (TokenId token : tokens) {
        if (!tokenizer.vocabulary().contains(token))
            return fail("the token " + std::to_string(token) + " is not in the vocabulary of " +
                            std::to_string(tokenizer.vocabulary().size()) + " tokens",
                        "prompt");
    }
    return PromptText{{}, {}, tokens, {}};
}

} // namespace

ChatTemplateOptions templateOptions(const Vocabulary& vocabulary)
{
    return {.bosToken = textOf(vocabulary.bos(), vocabulary),
            .eosToken = textOf(vocabulary.eos(), vocabulary)};
}

Result<PromptText> writePrompt(const Prompt& prompt, const Tokenizer& tokenizer,
                               const ChatTemplate& chatTemplate)
{
    Written written =
        std::visit([&](const auto& kind) { return encode(kind, tokenizer, chatTemplate); }, prompt);
    if (written && written->tokens.empty())
        return fail("the prompt is empty", "prompt", "write something");
    if (written && !written->text.empty())
        written->ends = tokenEnds(written->text, written->tokens, tokenizer.vocabulary());
    return written;
}

Result<std::vector<TokenId>> encodePrompt(const Prompt& prompt, const Tokenizer& tokenizer,
                                          const ChatTemplate& chatTemplate)
{
    return writePrompt(prompt, tokenizer, chatTemplate).map([](PromptText written) {
        return std::move(written.tokens);
    });
}

} // namespace vitrine
