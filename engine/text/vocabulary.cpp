// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/vocabulary.h"

#include "engine/text/vocabulary_reader.h"

#include <algorithm>
#include <array>

namespace vitrine {

Result<Vocabulary> Vocabulary::fromGguf(const GgufFile& file)
{
    return VocabularyReader(file).read();
}

bool Vocabulary::isEnd(TokenId token) const
{
    return std::ranges::binary_search(m_endTokens, token);
}

void Vocabulary::addEndToken(TokenId token)
{
    if (isEnd(token))
        return;
    m_endTokens.insert(std::ranges::lower_bound(m_endTokens, token), token);
    m_kinds[static_cast<std::size_t>(token)] = TokenKind::Control;
}

bool Vocabulary::stripsAfter(TokenId token) const
{
    if (!m_stripsAfterSpecial)
        return false;
    constexpr std::array<std::string_view, 3> exceptions{"<unk>", "<s>", "<|endoftext|>"};
    return std::ranges::find(exceptions, text(token)) == exceptions.end();
}

bool Vocabulary::marksReasoning(TokenId token) const
{
    return std::ranges::find(m_reasoningTokens, token) != m_reasoningTokens.end();
}

bool Vocabulary::isShown(TokenId token) const
{
    switch (kind(token)) {
    case TokenKind::Control:
        return marksReasoning(token) && !isEnd(token);
    case TokenKind::Unknown:
        return false;
    default:
        return !isEnd(token);
    }
}

} // namespace vitrine
