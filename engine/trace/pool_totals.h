// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/trace/pool_checksum.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <span>

namespace vitrine {

/// Sums over all blocks of a pool and the tables that they stand in, kept up to date in O(1) a change; by the
/// pool itself and by those who mirror it.
class PoolTotals {
public:
    PoolTotals() = default;
    explicit PoolTotals(std::span<const BlockState> blocks)
    {
        for (std::uint32_t i = 0; i < blocks.size(); ++i)
            add(BlockId{i}, blocks[i], 1);
    }

    void replace(BlockId id, const BlockState& old, const BlockState& next)
    {
        add(id, old, -1);
        add(id, next, 1);
    }

    /// The block becomes, or was, an entry of the sequence's table.
    void enter(BlockId id, SequenceId sequence, std::int32_t position)
    {
        m_entrySum += entryChecksum(id, sequence, position);
        ++m_entries;
    }
    void leave(BlockId id, SequenceId sequence, std::int32_t position)
    {
        m_entrySum -= entryChecksum(id, sequence, position);
        --m_entries;
    }

    /// Equals poolChecksum() of the pool's snapshot.
    [[nodiscard]] std::uint64_t checksum() const { return m_blockSum + m_entrySum; }
    /// Sum of the lengths of all tables, null blocks left out.
    [[nodiscard]] std::int64_t tableEntries() const { return m_entries; }
    /// Written slots of the active blocks, each block counted once.
    [[nodiscard]] std::int64_t usedSlots() const { return m_usedSlots; }
    [[nodiscard]] std::int32_t activeBlocks() const { return m_active; }
    /// Active blocks with two references or more.
    [[nodiscard]] std::int32_t sharedBlocks() const { return m_shared; }
    [[nodiscard]] std::int32_t cachedFreeBlocks() const { return m_cachedFree; }

    /// Whether the blocks give these sums; tables are not looked at.
    [[nodiscard]] bool agreeWith(std::span<const BlockState> blocks) const
    {
        PoolTotals sums(blocks);
        sums.m_entrySum = m_entrySum;
        sums.m_entries = m_entries;
        return sums == *this;
    }

    friend bool operator==(const PoolTotals&, const PoolTotals&) = default;

private:
    void add(BlockId id, const BlockState& state, std::int32_t sign)
    {
        const bool active = state.refCount > 0;
        const std::uint64_t share = blockChecksum(id, state);
        m_blockSum += sign > 0 ? share : -share;
        m_usedSlots += active ? sign * state.filled : 0;
        m_active += active ? sign : 0;
        m_shared += state.refCount > 1 ? sign : 0;
        m_cachedFree += !active && state.hashed ? sign : 0;
    }

    std::uint64_t m_blockSum = 0;
    std::uint64_t m_entrySum = 0;
    std::int64_t m_entries = 0;
    std::int64_t m_usedSlots = 0;
    std::int32_t m_active = 0;
    std::int32_t m_shared = 0;
    std::int32_t m_cachedFree = 0;
};

} // namespace vitrine
