// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/ids.h"
#include "engine/text/special_tokens.h"
#include "engine/text/text_range.h"
#include "engine/text/vocabulary.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

class GgufFile;

struct TokenizeOptions {
    bool addBos = false; ///< BOS before the text where the model wants it and the text does not begin with it
    bool addEos = false; ///< EOS after the text, likewise; not for prompts, which the model is to continue
    /// Control tokens written in the text ("<|im_end|>") become those tokens; otherwise they are plain text.
    bool parseSpecial = false;
    /// With parseSpecial: where control tokens are plain text all the same, ascending and not overlapping.
    /// What a user has typed into a chat (RenderedChat::userText).
    std::span<const TextRange> plain{};
};

/// Text to tokens. Any bytes are accepted: those that are not UTF-8 become tokens byte by byte as far as the
/// vocabulary has such tokens. Thread-safe once built.
class Tokenizer {
public:
    /// Refuses, by name, a tokenizer that is not known and metadata that do not fit together.
    [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> fromGguf(const GgufFile& file);
    virtual ~Tokenizer() = default;

    [[nodiscard]] std::vector<TokenId> tokenize(std::string_view text,
                                                const TokenizeOptions& options = {}) const;
    /// The bytes of all shown tokens, put together, without the space that tokenize() puts before the text in
    /// some vocabularies; `showControl` adds the text of control tokens. May be invalid UTF-8 where the
    /// tokens are; Detokenizer (detokenizer.h) is for what people read.
    [[nodiscard]] std::string detokenize(std::span<const TokenId> tokens, bool showControl = false) const;

    [[nodiscard]] const Vocabulary& vocabulary() const { return m_vocabulary; }
    /// The control token that the text begins with.
    [[nodiscard]] std::optional<TokenId> controlTokenAt(std::string_view text) const;
    /// Before the tokenizer is used: one more token that ends an answer. Precondition: a control token.
    void addEndToken(TokenId token) { m_vocabulary.addEndToken(token); }
    /// What is known to be doubtful (an unknown pre-tokenizer, broken merges), for people to see.
    [[nodiscard]] std::span<const std::string> warnings() const { return m_warnings; }

protected:
    explicit Tokenizer(Vocabulary vocabulary);
    /// Appends the tokens of text that holds no special token, and stands at the beginning or after one.
    virtual void tokenizePlain(std::string_view text, std::vector<TokenId>& tokens) const = 0;
    void warn(std::string warning) { m_warnings.push_back(std::move(warning)); }

private:
    void tokenizeParts(std::string_view text, const TokenizeOptions& options,
                       std::vector<TokenId>& tokens) const;

    Vocabulary m_vocabulary;
    SpecialTokens m_specialTokens;
    std::vector<std::string> m_warnings;
};

} // namespace vitrine
