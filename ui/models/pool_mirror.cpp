// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pool_mirror.h"

#include "engine/engine_options.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

bool PoolMirror::apply(const PoolSnapshot& snapshot)
{
    *this = PoolMirror{};
    if (snapshot.layerGroups < 1 || snapshot.layerGroups > kMostLayerGroups)
        return false;
    m_generation = snapshot.generation;
    m_step = snapshot.step;
    m_blockSize = snapshot.blockSize;
    m_contiguous = snapshot.contiguous;
    m_layerGroups = snapshot.layerGroups;
    m_blocks = snapshot.blocks;
    m_owners = BlockOwners(m_blocks.size());
    m_pasts = snapshot.pasts;
    m_pasts.resize(m_blocks.size());
    m_isChanged.resize(m_blocks.size(), false);
    m_totals = PoolTotals(m_blocks);
    m_freeQueue = FreeQueue(std::max(numBlocks(), 1));
    for (std::uint32_t i = 0; i < m_blocks.size(); ++i)
        markChanged(BlockId{i});
    return takeTables(snapshot) && takeFreeQueue(snapshot) && isSound() &&
           m_totals.checksum() == snapshot.checksum;
}

/// As far as they fit: no table names a block that is not there.
bool PoolMirror::takeTables(const PoolSnapshot& snapshot)
{
    for (const SequenceState& state : snapshot.sequences) {
        std::vector<BlockId>& table = m_tables[state.sequence];
        table.reserve(state.blockTable.size());
        if (m_contiguous)
            m_finalSlots[state.sequence] = state.finalSlots;
        for (std::size_t i = 0; i < state.blockTable.size(); ++i) {
            const BlockId id = state.blockTable[i];
            if (id != kNullBlock && (!knows(id) || !m_owners.add(id, state.sequence)))
                return false;
            table.push_back(id);
            if (id == kNullBlock)
                continue;
            m_totals.enter(id, state.sequence, std::int32_t(i));
        }
    }
    return true;
}

bool PoolMirror::takeFreeQueue(const PoolSnapshot& snapshot)
{
    for (const BlockId id : snapshot.freeQueue) {
        if (!knows(id) || m_freeQueue.contains(id) || m_blocks[id.value].refCount != 0)
            return false;
        m_freeQueue.pushBack(id);
    }
    m_freeRuns.reset(m_freeQueue, numBlocks());
    return true;
}

/// Whether each block is counted on by those who hold it, and is free where nobody does.
bool PoolMirror::isSound() const
{
    if (!m_blocks.empty() && m_blocks.front() != BlockState{})
        return false;
    for (std::uint32_t i = 1; i < m_blocks.size(); ++i) {
        const BlockState& state = m_blocks[i];
        const bool isFree = m_freeQueue.contains(BlockId{i});
        if (std::size_t(state.refCount) != owners(BlockId{i}).size() || isFree != (state.refCount == 0) ||
            (isFree && !state.hashed && state.filled > 0))
            return false;
    }
    return true;
}

bool PoolMirror::apply(const StepRecord& record)
{
    if (record.generation != m_generation)
        return false;
    m_step = record.step;
    bool fits = true;
    for (const StepEvent& event : record.events)
        fits &= std::visit([this](const auto& e) { return on(e); }, event);
    return fits && m_totals.checksum() == record.poolChecksum;
}

bool PoolMirror::on(const event::Alloc& event)
{
    if (!knows(event.block) || !isFree(event.block) || m_blocks[event.block.value].hashed)
        return false;
    takeFromQueue(event.block);
    change(event.block, {.refCount = 1});
    return addOwner(event.block, event.sequence, event.position);
}

bool PoolMirror::on(const event::Share& event)
{
    if (!knows(event.block))
        return false;
    BlockState next = m_blocks[event.block.value];
    if (isFree(event.block)) {
        if (!next.hashed)
            return false;
        takeFromQueue(event.block);
    }
    ++next.refCount;
    change(event.block, next);
    return addOwner(event.block, event.sequence, event.position);
}

bool PoolMirror::on(const event::Fill& event)
{
    if (!isActive(event.block) || event.filled > m_blockSize)
        return false;
    BlockState next = m_blocks[event.block.value];
    next.filled = event.filled;
    change(event.block, next);
    return true;
}

bool PoolMirror::on(const event::Publish& event)
{
    if (!isActive(event.block) || m_blocks[event.block.value].filled != m_blockSize)
        return false;
    BlockState next = m_blocks[event.block.value];
    next.hashed = true;
    next.hash = event.hash;
    change(event.block, next);
    return true;
}

bool PoolMirror::on(const event::Evict& event)
{
    if (!knows(event.block) || !isFree(event.block) || !m_blocks[event.block.value].hashed)
        return false;
    change(event.block, {});
    return true;
}

bool PoolMirror::on(const event::Free& event)
{
    if (!isActive(event.block) || !m_owners.remove(event.block, event.sequence))
        return false;
    BlockState next = m_blocks[event.block.value];
    if (--next.refCount == 0) {
        next.filled = next.hashed ? next.filled : 0;
        if (next.hashed)
            m_freeQueue.pushBack(event.block);
        else
            m_freeQueue.pushFront(event.block);
        m_freeRuns.set(event.block, true);
    }
    change(event.block, next);
    m_pasts[event.block.value].lastOwner = event.sequence;
    m_totals.leave(event.block, event.sequence, event.position);
    removeFromTable(event);
    return true;
}

bool PoolMirror::on(const event::Preempt& event)
{
    return endTable(event.sequence);
}

bool PoolMirror::on(const event::Finish& event)
{
    return endTable(event.sequence);
}

/// All its blocks have been given back, one by one.
bool PoolMirror::endTable(SequenceId sequence)
{
    const bool isEmpty = std::ranges::all_of(table(sequence), [](BlockId id) { return id == kNullBlock; });
    m_tables.erase(sequence);
    m_finalSlots.erase(sequence);
    return isEmpty;
}

bool PoolMirror::on(const event::Grant& event)
{
    m_finalSlots[event.sequence] = event.finalSlots;
    return m_contiguous && m_tables.contains(event.sequence);
}

bool PoolMirror::on(const event::Copy& event)
{
    return isActive(event.source) && isActive(event.target); // the target's Alloc and Fill say the rest
}

bool PoolMirror::addOwner(BlockId id, SequenceId sequence, std::int32_t position)
{
    if (!m_owners.add(id, sequence))
        return false;
    m_totals.enter(id, sequence, position);
    std::vector<BlockId>& table = m_tables[sequence];
    // The other groups' entries of its row may come later, or never.
    const auto entry = std::size_t(position);
    if (position < 0 || entry >= table.size() + std::size_t(m_layerGroups))
        return false;
    if (entry >= table.size())
        table.resize(entry + 1, kNullBlock);
    table[entry] = id; // copy-on-write: the source stays owned until its Free
    return true;
}

/// The null block takes its place: the sequence may go on without it, where a sliding window has passed.
/// After a copy-on-write another block stands there already.
void PoolMirror::removeFromTable(const event::Free& event)
{
    const auto found = m_tables.find(event.sequence);
    if (found == m_tables.end() || event.position < 0 || std::size_t(event.position) >= found->second.size())
        return;
    BlockId& entry = found->second[std::size_t(event.position)];
    if (entry == event.block)
        entry = kNullBlock;
}

std::span<const BlockId> PoolMirror::table(SequenceId sequence) const
{
    const auto found = m_tables.find(sequence);
    return found == m_tables.end() ? std::span<const BlockId>{} : found->second;
}

std::int32_t PoolMirror::finalSlots(SequenceId sequence) const
{
    const auto found = m_finalSlots.find(sequence);
    return found == m_finalSlots.end() ? 0 : found->second;
}

std::int32_t PoolMirror::writtenSlots(SequenceId sequence) const
{
    const auto blocks = table(sequence);
    const auto isWritten = [this](BlockId id) { return id == kNullBlock || block(id).filled > 0; };
    const auto end = std::ranges::partition_point(blocks, isWritten);
    if (end == blocks.begin())
        return 0;
    const auto rows = std::int32_t(end - blocks.begin()) / m_layerGroups;
    return m_layerGroups * ((rows - 1) * m_blockSize + block(*std::prev(end)).filled);
}

double PoolMirror::kvCacheUsage() const
{
    return numBlocks() < 2 ? 0.0 : static_cast<double>(activeBlocks()) / (numBlocks() - 1);
}

std::int64_t PoolMirror::reservedSlots() const
{
    std::int64_t slotCount = 0;
    for (const auto& [sequence, final] : m_finalSlots)
        slotCount += std::max(0, final - writtenSlots(sequence));
    return slotCount;
}

std::vector<BlockId> PoolMirror::takeChangedBlocks()
{
    for (const BlockId id : m_changed)
        m_isChanged[id.value] = false;
    return std::exchange(m_changed, {});
}

PoolSnapshot PoolMirror::snapshot() const
{
    PoolSnapshot snapshot;
    snapshot.generation = m_generation;
    snapshot.step = m_step;
    snapshot.blockSize = m_blockSize;
    snapshot.contiguous = m_contiguous;
    snapshot.layerGroups = m_layerGroups;
    snapshot.blocks = m_blocks;
    for (const auto& [sequence, table] : m_tables)
        snapshot.sequences.push_back({sequence, table, finalSlots(sequence)});
    snapshot.freeQueue = m_freeQueue.toVector();
    snapshot.pasts = m_pasts;
    snapshot.checksum = checksum();
    return snapshot;
}

void PoolMirror::change(BlockId id, const BlockState& next)
{
    BlockState& state = m_blocks[id.value];
    m_totals.replace(id, state, next);
    state = next;
    m_pasts[id.value].lastStep = m_step;
    markChanged(id);
}

void PoolMirror::takeFromQueue(BlockId id)
{
    m_freeQueue.remove(id);
    m_freeRuns.set(id, false);
}

void PoolMirror::markChanged(BlockId id)
{
    if (m_isChanged[id.value])
        return;
    m_isChanged[id.value] = true;
    m_changed.push_back(id);
}

} // namespace vitrine::ui
