// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/prompt_encoder.h"

namespace vitrine {
namespace {

using Tokens = Result<std::vector<TokenId>>;

std::string textOf(std::optional<TokenId> token, const Vocabulary& vocabulary)
{
    return token ? std::string(vocabulary.bytes(*token)) : std::string();
}

Tokens encode(const std::vector<ChatMessage>& messages, const Tokenizer& tokenizer,
              const ChatTemplate& chatTemplate)
{
    return chatTemplate.render(messages, templateOptions(tokenizer.vocabulary()))
        .map([&](const RenderedChat& chat) {
            return tokenizer.tokenize(chat.text,
                                      {.addBos = true, .parseSpecial = true, .plain = chat.userText});
        });
}

Tokens encode(const std::string& text, const Tokenizer& tokenizer, const ChatTemplate&)
{
    return tokenizer.tokenize(text, {.addBos = true, .parseSpecial = true});
}

Tokens encode(const std::vector<TokenId>& tokens, const Tokenizer& tokenizer, const ChatTemplate&)
{
    for (TokenId token : tokens) {
        if (!tokenizer.vocabulary().contains(token))
            return fail("the token " + std::to_string(token) + " is not in the vocabulary of " +
                            std::to_string(tokenizer.vocabulary().size()) + " tokens",
                        "prompt");
    }
    return tokens;
}

} // namespace

ChatTemplateOptions templateOptions(const Vocabulary& vocabulary)
{
    return {.bosToken = textOf(vocabulary.bos(), vocabulary),
            .eosToken = textOf(vocabulary.eos(), vocabulary)};
}

Tokens encodePrompt(const Prompt& prompt, const Tokenizer& tokenizer, const ChatTemplate& chatTemplate)
{
    Tokens tokens =
        std::visit([&](const auto& kind) { return encode(kind, tokenizer, chatTemplate); }, prompt);
    if (tokens && tokens->empty())
        return fail("the prompt is empty", "prompt", "write something");
    return tokens;
}

} // namespace vitrine
