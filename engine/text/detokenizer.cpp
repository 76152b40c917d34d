// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/detokenizer.h"

#include "engine/utf8.h"

namespace vitrine {

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
    return text;
}

} // namespace vitrine
