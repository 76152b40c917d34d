// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/merge_table.h"
#include "engine/text/pair_merger.h"
#include "engine/text/pre_tokenizer.h"
#include "engine/text/tokenizer.h"

#include <array>

namespace vitrine {

/// Byte-level BPE as GPT-2 introduced it: words, their bytes, merges by rank.
/// Source: Sennrich, Haddow, Birch 2016; OpenAI's gpt-2/src/encoder.py.
class BpeTokenizer final : public Tokenizer {
public:
    [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> create(const GgufFile& file,
                                                                   Vocabulary vocabulary);

private:
    using Merger = PairMerger<TokenId, std::int32_t>;

    BpeTokenizer(Vocabulary vocabulary, const PreTokenizerSpec& spec, MergeTable merges);
    void tokenizePlain(std::string_view text, std::vector<TokenId>& tokens) const override;
    void tokenizeWord(std::string_view word, Merger& merger, std::vector<TokenId>& tokens) const;
    [[nodiscard]] std::optional<TokenId> wholeWord(std::string_view word) const;

    PreTokenizer m_preTokenizer;
    bool m_ignoresMerges;
    MergeTable m_merges;
    std::array<TokenId, 256> m_byteTokens; ///< −1: the vocabulary has no token for the byte
};

} // namespace vitrine
