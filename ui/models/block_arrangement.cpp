// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/block_arrangement.h"

#include "ui/models/pool_mirror.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace vitrine::ui {

void BlockArrangement::update(const PoolMirror& pool, BlockOrder order)
{
    m_order = order;
    m_lanes.clear();
    m_queue.clear();
    switch (order) {
    case BlockOrder::Address:
        m_lanes.push_back({{}, pool.numBlocks()});
        return;
    case BlockOrder::Sequence:
        for (const auto& [sequence, table] : pool.tables())
            if (!table.empty())
                m_lanes.push_back({sequence, static_cast<int>(table.size())});
        return;
    case BlockOrder::Eviction:
        if (pool.numBlocks() == 0)
            return;
        const FreeQueue& queue = pool.freeQueue();
        for (BlockId id = queue.front(); id != kNullBlock && std::ssize(m_queue) < kMostQueued;
             id = queue.next(id))
            m_queue.push_back(id);
        m_lanes.push_back({{}, static_cast<int>(m_queue.size())});
        return;
    }
}

int BlockArrangement::places() const
{
    return std::accumulate(m_lanes.begin(), m_lanes.end(), 0,
                           [](int sum, const BlockLane& lane) { return sum + lane.blocks; });
}

BlockId BlockArrangement::block(const PoolMirror& pool, BlockPlace place) const
{
    if (m_order == BlockOrder::Address)
        return BlockId{static_cast<std::uint32_t>(place.index)};
    const auto list = m_order == BlockOrder::Eviction
                          ? std::span<const BlockId>(m_queue)
                          : pool.table(m_lanes[static_cast<std::size_t>(place.lane)].sequence);
    const auto index = static_cast<std::size_t>(place.index);
    return index < list.size() ? list[index] : kNullBlock; // a table may have become shorter since update()
}

std::optional<BlockPlace> BlockArrangement::find(const PoolMirror& pool, BlockId block, SequenceId preferred,
                                                 int index) const
{
    switch (m_order) {
    case BlockOrder::Address:
        return block.value < static_cast<std::uint32_t>(pool.numBlocks())
                   ? std::optional(BlockPlace{0, static_cast<int>(block.value)})
                   : std::nullopt;
    case BlockOrder::Sequence:
        return findInTables(pool, block, preferred, index);
    case BlockOrder::Eviction:
        break;
    }
    const auto found = std::ranges::find(m_queue, block);
    if (found == m_queue.end())
        return std::nullopt;
    return BlockPlace{0, static_cast<int>(found - m_queue.begin())};
}

int BlockArrangement::laneOf(SequenceId sequence) const
{
    const auto lane = std::ranges::lower_bound(m_lanes, sequence, {}, &BlockLane::sequence);
    return lane != m_lanes.end() && lane->sequence == sequence ? static_cast<int>(lane - m_lanes.begin())
                                                               : -1;
}

std::optional<BlockPlace> BlockArrangement::findInTables(const PoolMirror& pool, BlockId block,
                                                         SequenceId preferred, int index) const
{
    const auto at = static_cast<std::size_t>(index);
    if (const auto table = pool.table(preferred);
        at < table.size() && table[at] == block && laneOf(preferred) >= 0)
        return BlockPlace{laneOf(preferred), index};
    const auto owners = pool.owners(block);
    if (owners.empty())
        return std::nullopt;
    const bool isPreferred = std::ranges::find(owners, preferred) != owners.end();
    const SequenceId owner = isPreferred ? preferred : owners.front();
    const auto table = pool.table(owner);
    const auto entry = std::ranges::find(table, block);
    const int lane = laneOf(owner);
    if (lane < 0 || entry == table.end())
        return std::nullopt;
    return BlockPlace{lane, static_cast<int>(entry - table.begin())};
}

} // namespace vitrine::ui
