// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/vocabulary.h"

#include "engine/text/vocabulary_reader.h"

#include <algorithm>

namespace vitrine {

Result<Vocabulary> Vocabulary::fromGguf(const GgufFile& file)
{
    return VocabularyReader(file).read();
}

bool Vocabulary::isEnd(TokenId token) const
{
    return std::ranges::binary_search(m_endTokens, token);
}

bool Vocabulary::isShown(TokenId token) const
{
    switch (kind(token)) {
    case TokenKind::Control:
    case TokenKind::Unknown:
        return false;
    default:
        return !isEnd(token);
    }
}

} // namespace vitrine
