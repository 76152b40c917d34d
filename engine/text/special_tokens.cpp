// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/special_tokens.h"

#include <algorithm>

namespace vitrine {
namespace {

// Longer ones do not exist; a search costs as many steps as the longest has bytes.
constexpr std::size_t kMaxBytes = 256;

} // namespace

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary)
{
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        const auto token = static_cast<TokenId>(i);
        const std::string_view text = vocabulary.text(token);
        const bool control =
            vocabulary.kind(token) == TokenKind::Control || vocabulary.kind(token) == TokenKind::Unknown;
        if ((!control && vocabulary.kind(token) != TokenKind::UserDefined) || text.empty() ||
            text.size() > kMaxBytes)
            continue;
        m_entries.push_back({text, token, control});
        m_first[static_cast<unsigned char>(text[0])] = true;
    }
    std::ranges::stable_sort(m_entries, {}, &Entry::text);
}

std::optional<SpecialTokens::Match> SpecialTokens::matchAt(std::string_view text, bool withControl) const
{
    std::optional<Match> longest;
    auto begin = m_entries.begin();
    auto end = m_entries.end();
    // The entries that share the first `depth` bytes with the text stand together; one more byte narrows them
    // down.
    for (std::size_t depth = 0; depth < text.size() && begin != end; ++depth) {
        const auto byteAt = [depth](const Entry& entry) {
            return static_cast<unsigned char>(entry.text[depth]);
        };
        const auto byte = static_cast<unsigned char>(text[depth]);
        begin = std::ranges::lower_bound(begin, end, byte, {}, byteAt);
        end = std::ranges::upper_bound(begin, end, byte, {}, byteAt);
        // Those that end here come first.
        for (; begin != end && begin->text.size() == depth + 1; ++begin) {
            if (withControl || !begin->control)
                longest = Match{begin->token, depth + 1};
        }
    }
    return longest;
}

} // namespace vitrine
