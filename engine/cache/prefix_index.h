// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vitrine {

/// Which block was published under a hash: open addressing with linear probing, sized once, no allocation
/// afterwards.
class PrefixIndex {
public:
    explicit PrefixIndex(std::int32_t numBlocks = 0);

    /// The null block where the hash is unknown.
    [[nodiscard]] BlockId find(std::uint64_t hash) const;
    /// That this hash is about to be looked up: its memory is fetched meanwhile.
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&m_entries[home(hash)]); }
    /// The hash now leads to this block, whatever it led to before.
    void assign(std::uint64_t hash, BlockId block);
    /// Precondition: the hash is known.
    void erase(std::uint64_t hash);
    [[nodiscard]] std::int32_t size() const { return m_size; }

private:
    struct Entry {
        std::uint64_t hash = 0;
        BlockId block; ///< the null block marks an empty entry
    };

    [[nodiscard]] std::size_t home(std::uint64_t hash) const;
    [[nodiscard]] std::size_t locate(std::uint64_t hash) const;

    std::vector<Entry> m_entries; ///< a power of two, at least twice the blocks
    std::int32_t m_size = 0;
};

} // namespace vitrine
