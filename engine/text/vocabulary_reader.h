// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/text/vocabulary.h"

#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

class GgufFile;

/// Builds a Vocabulary from the `tokenizer.ggml.*` metadata.
class VocabularyReader {
public:
    explicit VocabularyReader(const GgufFile& file)
        : m_file(file)
    {
    }
    [[nodiscard]] Result<Vocabulary> read();

private:
    [[nodiscard]] Result<void> readFamily();
    [[nodiscard]] Result<void> readTexts();
    [[nodiscard]] Result<void> readKinds();
    [[nodiscard]] Result<void> readScores();
    [[nodiscard]] Result<void> readSpecialTokens();
    void findEndTokens();
    void findReasoningTokens();
    void addEndToken(std::optional<TokenId> token);
    void decodeBytes();
    [[nodiscard]] std::string decoded(TokenId token) const;
    /// Empty where the file names none, or one that does not exist (with a warning).
    [[nodiscard]] std::optional<TokenId> specialToken(std::string_view key, std::optional<TokenId> fallback);
    void warn(std::string warning) { m_vocabulary.m_warnings.push_back(std::move(warning)); }

    const GgufFile& m_file;
    Vocabulary m_vocabulary;
};

} // namespace vitrine
