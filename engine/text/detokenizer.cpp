// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/detokenizer.h"

#include "engine/utf8.h"

#include <utility>

namespace vitrine {

Detokenizer::Detokenizer(const Vocabulary& vocabulary, std::optional<TokenId> previous)
    : m_vocabulary(&vocabulary)
    , m_dropsSpace(vocabulary.addsSpacePrefix() && previous && !vocabulary.isShown(*previous))
{
}

std::string Detokenizer::append(TokenId token)
{
    if (!m_vocabulary->contains(token) || !m_vocabulary->isShown(token))
        return {};
    m_pending += m_vocabulary->bytes(token);
    std::string text;
    std::string_view rest = m_pending;
    while (!rest.empty()) {
        const Utf8Char character = decodeUtf8(rest);
        if (character.status == Utf8Status::Incomplete)
            break;
        if (character.status == Utf8Status::Valid)
            text += rest.substr(0, character.length);
        rest.remove_prefix(character.length);
    }
    m_pending.erase(0, m_pending.size() - rest.size());
    if (!text.empty() && std::exchange(m_dropsSpace, false) && text.front() == ' ')
        text.erase(0, 1);
    return text;
}

} // namespace vitrine
