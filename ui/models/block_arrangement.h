// SPDX-License-Identifier: GPL-3.0-or-later
// In which order the blocks stand on the map.
#pragma once
#include "engine/ids.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vitrine::ui {

class PoolMirror;

enum class BlockOrder : std::uint8_t {
    Address,  ///< one lane: the physical blocks
    Sequence, ///< a lane for each sequence: its block table; a shared block stands in each of its tables
    Eviction, ///< one lane: the free queue, what is taken next first
};

/// A row of blocks that belong together.
struct BlockLane {
    SequenceId sequence; ///< whose table it is; 0 in the other orders
    int blocks = 0;
    friend bool operator==(const BlockLane&, const BlockLane&) = default;
};

/// Where a block stands.
struct BlockPlace {
    int lane = 0;
    int index = 0;
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};

class BlockArrangement {
public:
    /// The free queue is shown so far and no farther: walking it costs with each drain.
    static constexpr int kMostQueued = 65'536;

    /// `pool` is read again by update() and must be passed to nothing older than that.
    void update(const PoolMirror& pool, BlockOrder order);

    [[nodiscard]] BlockOrder order() const { return m_order; }
    [[nodiscard]] const std::vector<BlockLane>& lanes() const { return m_lanes; }
    /// All lanes together.
    [[nodiscard]] int places() const;
    /// The null block where a table needs none any more.
    [[nodiscard]] BlockId block(const PoolMirror& pool, BlockPlace place) const;
    /// Empty where the block does not stand in this order. `preferred`, `index`: the table and the entry that
    /// are looked at first, as a block may stand in several.
    [[nodiscard]] std::optional<BlockPlace> find(const PoolMirror& pool, BlockId block,
                                                 SequenceId preferred = {}, int index = 0) const;

private:
    [[nodiscard]] std::optional<BlockPlace> findInTables(const PoolMirror& pool, BlockId block,
                                                         SequenceId preferred, int index) const;
    [[nodiscard]] int laneOf(SequenceId sequence) const;

    BlockOrder m_order = BlockOrder::Address;
    std::vector<BlockLane> m_lanes;
    std::vector<BlockId> m_queue; ///< by eviction
};

} // namespace vitrine::ui
