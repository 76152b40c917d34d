// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/token_index.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include <xxhash.h>

namespace vitrine {
namespace {

constexpr TokenId kEmpty = -1;

std::size_t hashOf(std::string_view text)
{
    return XXH3_64bits(text.data(), text.size());
}

} // namespace

void StringPool::reserve(std::size_t strings, std::size_t bytes)
{
    m_ends.reserve(strings);
    m_text.reserve(bytes);
}

void StringPool::add(std::string_view text)
{
    m_text += text;
    assert(m_text.size() <= std::numeric_limits<std::uint32_t>::max());
    m_ends.push_back(static_cast<std::uint32_t>(m_text.size()));
}

TokenIndex::TokenIndex(const StringPool& texts)
    // At most half full, so that a search ends after one or two slots.
    : m_slots(std::bit_ceil(2 * texts.size() + 1), kEmpty)
{
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto token = static_cast<TokenId>(i);
        std::size_t slot = hashOf(texts[token]) & mask;
        while (m_slots[slot] != kEmpty && texts[m_slots[slot]] != texts[token])
            slot = (slot + 1) & mask;
        if (m_slots[slot] == kEmpty)
            m_slots[slot] = token;
    }
}

std::optional<TokenId> TokenIndex::find(std::string_view text, const StringPool& texts) const
{
    if (m_slots.empty())
        return std::nullopt;
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t slot = hashOf(text) & mask; m_slots[slot] != kEmpty; slot = (slot + 1) & mask) {
        if (texts[m_slots[slot]] == text)
            return m_slots[slot];
    }
    return std::nullopt;
}

} // namespace vitrine
