// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/text/vocabulary.h"

#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

/// Tokens to text as they come, for one answer. What it returns is always whole, valid UTF-8: an incomplete
/// character is held back until the next token completes it. Bytes that can never become a character are left
/// out, as is an incomplete character at the end of the answer; no replacement character is ever made up.
class Detokenizer {
public:
    /// `vocabulary` must outlive it. `previous`: the last token of the prompt; after one that is not shown an
    /// answer is a text of its own, and the space that SentencePiece puts before a text is left out.
    explicit Detokenizer(const Vocabulary& vocabulary, std::optional<TokenId> previous = {});

    /// The text that `token` completes; empty for control tokens, end tokens and ids outside the vocabulary.
    [[nodiscard]] std::string append(TokenId token);
    /// Forgets an incomplete character: the answer ends, or a text of another origin follows.
    void finish() { m_pending.clear(); }

private:
    const Vocabulary* m_vocabulary;
    bool m_dropsSpace = false;
    std::string m_pending; ///< at most 3 bytes: the beginning of a character
};

} // namespace vitrine
