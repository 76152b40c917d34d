// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/ids.h"
#include "engine/text/token_index.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

class GgufFile;

/// tokenizer.ggml.token_type; the numbers are those of the file.
enum class TokenKind : std::uint8_t {
    Undefined = 0,
    Normal = 1,
    Unknown = 2,
    Control = 3,     ///< never shown; recognised in text only where it is asked for
    UserDefined = 4, ///< shown; always recognised in text
    Unused = 5,
    Byte = 6, ///< SentencePiece: <0x41> stands for one byte
};

/// How text becomes tokens, and how the vocabulary writes bytes.
enum class TokenizerFamily {
    ByteLevelBpe,  ///< tokenizer.ggml.model "gpt2"
    SentencePiece, ///< "llama"
};

/// The tokens of a model, what bytes each stands for, and which have a role of their own.
class Vocabulary {
public:
    [[nodiscard]] static Result<Vocabulary> fromGguf(const GgufFile& file);

    [[nodiscard]] TokenizerFamily family() const { return m_family; }
    [[nodiscard]] std::size_t size() const { return m_kinds.size(); }
    [[nodiscard]] bool contains(TokenId token) const
    {
        return token >= 0 && static_cast<std::size_t>(token) < size();
    }

    /// The token as the file writes it ("Ġhello", "▁hello", "<0x41>", "<|im_end|>"). Precondition:
    /// contains(token).
    [[nodiscard]] std::string_view text(TokenId token) const { return m_texts[token]; }
    /// The bytes it stands for (" hello", "A"); for a control token its text. Precondition: contains(token).
    [[nodiscard]] std::string_view bytes(TokenId token) const { return m_bytes[token]; }
    [[nodiscard]] TokenKind kind(TokenId token) const { return m_kinds[static_cast<std::size_t>(token)]; }
    /// SentencePiece's score; 0 where the file has none.
    [[nodiscard]] float score(TokenId token) const
    {
        return m_scores.empty() ? 0.0f : m_scores[static_cast<std::size_t>(token)];
    }
    /// The token of that text, as the file writes it.
    [[nodiscard]] std::optional<TokenId> find(std::string_view text) const
    {
        return m_index.find(text, m_texts);
    }

    /// Whether the token appears in what people read: not for control tokens and those that end a turn, but
    /// for those that mark reasoning, so that it can be told apart (reasoning.h).
    [[nodiscard]] bool isShown(TokenId token) const;
    /// Whether markers of reasoning are made of it.
    [[nodiscard]] bool marksReasoning(TokenId token) const;
    /// All tokens that end an answer, ascending: from the metadata, known end-of-turn names, and what the
    /// template ends a turn with (addEndToken). May be empty.
    [[nodiscard]] std::span<const TokenId> endTokens() const { return m_endTokens; }
    [[nodiscard]] bool isEnd(TokenId token) const;
    /// It is a control token from now on. Precondition: contains(token).
    void addEndToken(TokenId token);

    [[nodiscard]] std::optional<TokenId> bos() const { return m_bos; }
    [[nodiscard]] std::optional<TokenId> eos() const { return m_eos; }
    [[nodiscard]] std::optional<TokenId> unknown() const { return m_unknown; }
    [[nodiscard]] bool addsBos() const { return m_addsBos; } ///< and there is one
    [[nodiscard]] bool addsEos() const { return m_addsEos; } ///< and there is one
    /// SentencePiece: a space is put before the text, and taken off again when detokenizing.
    [[nodiscard]] bool addsSpacePrefix() const { return m_addsSpacePrefix; }

    /// Phi-3: white space in the text after that special token belongs to it.
    [[nodiscard]] bool stripsAfter(TokenId token) const;

    /// What the file says wrongly or strangely about its tokens, for people to see.
    [[nodiscard]] std::span<const std::string> warnings() const { return m_warnings; }

private:
    friend class VocabularyReader;
    Vocabulary() = default;

    TokenizerFamily m_family = TokenizerFamily::ByteLevelBpe;
    StringPool m_texts;
    StringPool m_bytes;
    TokenIndex m_index;
    std::vector<TokenKind> m_kinds;
    std::vector<float> m_scores;
    std::vector<TokenId> m_endTokens;
    std::vector<TokenId> m_reasoningTokens; ///< a few
    std::optional<TokenId> m_bos;
    std::optional<TokenId> m_eos;
    std::optional<TokenId> m_unknown;
    bool m_addsBos = false;
    bool m_addsEos = false;
    bool m_addsSpacePrefix = false;
    bool m_stripsAfterSpecial = false;
    std::vector<std::string> m_warnings;
};

} // namespace vitrine
