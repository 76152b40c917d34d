// SPDX-License-Identifier: GPL-3.0-or-later
// Which token of a prompt stands for which bytes of its text.
#pragma once
#include "engine/ids.h"
#include "engine/text/text_range.h"
#include "engine/text/vocabulary.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// A prompt as text and as tokens.
struct PromptText {
    std::string text;            ///< a conversation put through its template; empty for token ids as they are
    std::vector<TextRange> said; ///< where `text` is what the messages say: RenderedChat::userText
    std::vector<TokenId> tokens;
    std::vector<std::uint32_t> ends; ///< (tokens) bytes of `text` up to the end of each; empty without a text

    /// What the template writes at the end.
    [[nodiscard]] std::string_view afterMessages() const
    {
        return std::string_view(text).substr(said.empty() ? 0 : said.back().end);
    }
};

/// Where each token ends in the text that it was made from. Tokens that stand for nothing in the text (a BOS
/// that was added) end where the one before does; the space that SentencePiece puts before a text belongs to
/// no byte, and what no token stands for (white space after a special token, characters that the vocabulary
/// does not have) belongs to the token before it.
[[nodiscard]] std::vector<std::uint32_t> tokenEnds(std::string_view text, std::span<const TokenId> tokens,
                                                   const Vocabulary& vocabulary);

/// Bytes of tokens as text for people: control tokens too, what is no whole character as `\x..`, cut after
/// `maxBytes`.
[[nodiscard]] std::string shownTokens(std::span<const TokenId> tokens, const Vocabulary& vocabulary,
                                      std::size_t maxBytes);

} // namespace vitrine
