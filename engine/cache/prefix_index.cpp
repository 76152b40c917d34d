// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/prefix_index.h"

#include <bit>
#include <cassert>

namespace vitrine {

PrefixIndex::PrefixIndex(std::int32_t numBlocks)
    : m_entries(std::bit_ceil(std::size_t(numBlocks) * 2 + 2))
{
}

BlockId PrefixIndex::find(std::uint64_t hash) const
{
    return m_entries[locate(hash)].block;
}

void PrefixIndex::assign(std::uint64_t hash, BlockId block)
{
    assert(block != kNullBlock);
    Entry& entry = m_entries[locate(hash)];
    m_size += entry.block == kNullBlock ? 1 : 0;
    entry = {hash, block};
}

// Backward-shift deletion: entries behind the gap that may not be found across it move into it.
void PrefixIndex::erase(std::uint64_t hash)
{
    const std::size_t mask = m_entries.size() - 1;
    std::size_t gap = locate(hash);
    assert(m_entries[gap].block != kNullBlock);
    for (std::size_t i = (gap + 1) & mask; m_entries[i].block != kNullBlock; i = (i + 1) & mask) {
        const std::size_t distanceFromHome = (i - home(m_entries[i].hash)) & mask;
        if (distanceFromHome >= ((i - gap) & mask)) {
            m_entries[gap] = m_entries[i];
            gap = i;
        }
    }
    m_entries[gap] = {};
    --m_size;
}

std::size_t PrefixIndex::home(std::uint64_t hash) const
{
    return hash & (m_entries.size() - 1);
}

/// The entry of this hash, or the empty one where it would be put.
std::size_t PrefixIndex::locate(std::uint64_t hash) const
{
    const std::size_t mask = m_entries.size() - 1;
    std::size_t i = home(hash);
    while (m_entries[i].block != kNullBlock && m_entries[i].hash != hash)
        i = (i + 1) & mask;
    return i;
}

} // namespace vitrine
