// SPDX-License-Identifier: GPL-3.0-or-later
// Compact storage for a vocabulary's strings: two arrays in place of a quarter of a million small
// allocations.
#pragma once
#include "engine/ids.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// Strings one after the other in one buffer, numbered from 0.
class StringPool {
public:
    void reserve(std::size_t strings, std::size_t bytes);
    void add(std::string_view text);
    [[nodiscard]] std::size_t size() const { return m_ends.size(); }
    [[nodiscard]] std::string_view operator[](TokenId id) const
    {
        const auto i = static_cast<std::size_t>(id);
        const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
        return std::string_view(m_text).substr(begin, m_ends[i] - begin);
    }

private:
    std::string m_text;
    std::vector<std::uint32_t> m_ends;
};

/// From a token's text to its id: open addressing over ids; the texts stay in the pool.
class TokenIndex {
public:
    TokenIndex() = default;
    /// Where a text comes twice, the lower id is found.
    explicit TokenIndex(const StringPool& texts);
    [[nodiscard]] std::optional<TokenId> find(std::string_view text, const StringPool& texts) const;

private:
    std::vector<TokenId> m_slots; ///< a power of two; −1: empty
};

} // namespace vitrine
