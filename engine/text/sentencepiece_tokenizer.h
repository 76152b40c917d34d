// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/pair_merger.h"
#include "engine/text/tokenizer.h"

#include <array>
#include <cstdint>

namespace vitrine {

/// SentencePiece's BPE, as Llama 1 and 2, Mistral, Gemma and Phi-3 use it: spaces become "▁", the whole text
/// is merged by the scores of the pieces, and a character without a piece falls back to its bytes. Source:
/// Kudo and Richardson 2018; google/sentencepiece.
class SentencePieceTokenizer final : public Tokenizer {
public:
    explicit SentencePieceTokenizer(Vocabulary vocabulary);

private:
    /// Part of the text that is being merged.
    struct Piece {
        std::uint32_t begin;
        std::uint32_t length;
        friend bool operator==(Piece, Piece) = default;
    };
    using Merger = PairMerger<Piece, float>;

    void tokenizePlain(std::string_view text, std::vector<TokenId>& tokens) const override;
    void tokenizeChunk(std::string_view escaped, Merger& merger, std::vector<TokenId>& tokens) const;
    [[nodiscard]] std::size_t chunkBytes(std::string_view escaped) const;
    [[nodiscard]] std::optional<TokenId> pieceToken(std::string_view text) const;
    void addBytes(std::string_view text, std::vector<TokenId>& tokens) const;
    [[nodiscard]] bool somePieceSpansWords() const;

    std::array<TokenId, 256> m_byteTokens; ///< −1: the vocabulary has no token for the byte
    bool m_spansWords;                     ///< some piece holds a space after another character
};

} // namespace vitrine
