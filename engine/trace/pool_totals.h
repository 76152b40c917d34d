// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/trace/pool_checksum.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <span>

namespace vitrine {

/// Sums over all blocks of a pool, kept up to date in O(1) a change; by the pool itself and by those who
/// mirror it.
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

    [[nodiscard]] std::uint64_t checksum() const { return m_checksum; }
    /// Written slots of the active blocks, each block counted once.
    [[nodiscard]] std::int64_t usedSlots() const { return m_usedSlots; }
    [[nodiscard]] std::int32_t activeBlocks() const { return m_active; }
    /// Active blocks with two references or more.
    [[nodiscard]] std::int32_t sharedBlocks() const { return m_shared; }
    [[nodiscard]] std::int32_t cachedFreeBlocks() const { return m_cachedFree; }

    friend bool operator==(const PoolTotals&, const PoolTotals&) = default;

private:
    void add(BlockId id, const BlockState& state, std::int32_t sign)
    {
        const bool active = state.refCount > 0;
        m_checksum ^= blockChecksum(id, state);
        m_usedSlots += active ? sign * state.filled : 0;
        m_active += active ? sign : 0;
        m_shared += state.refCount > 1 ? sign : 0;
        m_cachedFree += !active && state.hashed ? sign : 0;
    }

    std::uint64_t m_checksum = 0;
    std::int64_t m_usedSlots = 0;
    std::int32_t m_active = 0;
    std::int32_t m_shared = 0;
    std::int32_t m_cachedFree = 0;
};

} // namespace vitrine
