// SPDX-License-Identifier: GPL-3.0-or-later
// The block pool as the views know it, rebuilt from step records alone. Equal to the engine's own after every
// step.
#pragma once
#include "engine/cache/free_queue.h"
#include "engine/trace/pool_totals.h"
#include "engine/trace/step_record.h"
#include "ui/models/block_owners.h"
#include "ui/models/free_runs.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace vitrine::ui {

class PoolMirror {
public:
    /// Starts (again) from this state; every block counts as changed. False where it contradicts itself.
    [[nodiscard]] bool apply(const PoolSnapshot& snapshot);
    /// Goes one step on, in O(events). False where the record does not fit the state: its checksum differs,
    /// or an event names what is not there; the views then show an error until the next snapshot. A record of
    /// another pool changes nothing.
    [[nodiscard]] bool apply(const StepRecord& record);

    [[nodiscard]] std::uint64_t step() const { return m_step; }
    [[nodiscard]] std::uint32_t generation() const { return m_generation; }
    [[nodiscard]] std::int32_t blockSize() const { return m_blockSize; }
    /// Entries of a table for each blockSize() tokens.
    [[nodiscard]] std::int32_t layerGroups() const { return m_layerGroups; }
    [[nodiscard]] std::int32_t numBlocks() const { return static_cast<std::int32_t>(m_blocks.size()); }
    [[nodiscard]] const BlockState& block(BlockId id) const { return m_blocks[id.value]; }
    /// Sequences that hold the block, by id; several where it is shared.
    [[nodiscard]] std::span<const SequenceId> owners(BlockId id) const { return m_owners.of(id); }
    /// The step that last wrote, took, shared or freed the block; 0: none since the snapshot.
    [[nodiscard]] std::uint64_t lastStep(BlockId id) const { return m_pasts[id.value].lastStep; }
    /// The sequence that last gave the block back: whose content a cached block is. 0: none since the
    /// snapshot.
    [[nodiscard]] SequenceId lastOwner(BlockId id) const { return m_pasts[id.value].lastOwner; }
    [[nodiscard]] bool isFree(BlockId id) const { return id != kNullBlock && m_freeQueue.contains(id); }
    [[nodiscard]] const FreeQueue& freeQueue() const { return m_freeQueue; }
    [[nodiscard]] const FreeRuns& freeRuns() const { return m_freeRuns; }

    /// What each sequence holds, in the order of its tokens, layerGroups() entries for each blockSize() of
    /// them. The null block stands where none is needed any more, or not yet.
    using Tables = std::map<SequenceId, std::vector<BlockId>>;
    [[nodiscard]] const Tables& tables() const { return m_tables; }
    /// Empty where the sequence holds nothing.
    [[nodiscard]] std::span<const BlockId> table(SequenceId sequence) const;

    /// Whether each sequence has one run, granted as a whole.
    [[nodiscard]] bool isContiguous() const { return m_contiguous; }
    /// Contiguous modes: slots of its run that the sequence will have written at its end (event::Grant).
    [[nodiscard]] std::int32_t finalSlots(SequenceId sequence) const;
    /// Slots of its table that are written. O(log blocks).
    [[nodiscard]] std::int32_t writtenSlots(SequenceId sequence) const;

    // Sums, kept up to date (views.md, "Metrics").
    [[nodiscard]] std::int32_t activeBlocks() const { return m_totals.activeBlocks(); }
    [[nodiscard]] std::int32_t cachedFreeBlocks() const { return m_totals.cachedFreeBlocks(); }
    [[nodiscard]] std::int32_t sharedBlocks() const { return m_totals.sharedBlocks(); }
    [[nodiscard]] std::int64_t usedSlots() const { return m_totals.usedSlots(); }
    /// Σ table lengths, null blocks left out.
    [[nodiscard]] std::int64_t tableEntries() const { return m_totals.tableEntries(); }
    /// Contiguous modes: granted, not yet written, will be written. O(sequences).
    [[nodiscard]] std::int64_t reservedSlots() const;
    /// Active / usable blocks.
    [[nodiscard]] double kvCacheUsage() const;
    [[nodiscard]] std::uint64_t checksum() const { return m_totals.checksum(); }

    /// Blocks whose state or owners changed since the last call, each once, in the order in which they
    /// changed.
    [[nodiscard]] std::vector<BlockId> takeChangedBlocks();
    /// The whole state as a snapshot: recordings start from it.
    [[nodiscard]] PoolSnapshot snapshot() const;

private:
    bool on(const event::Arrive&) { return true; }
    bool on(const event::Member&) { return true; }
    bool on(const event::Alloc& event);
    bool on(const event::Share& event);
    bool on(const event::Fill& event);
    bool on(const event::Publish& event);
    bool on(const event::Evict& event);
    bool on(const event::Free& event);
    bool on(const event::Copy& event);
    bool on(const event::Preempt& event);
    bool on(const event::Wait&) { return true; }
    bool on(const event::Finish& event);
    bool on(const event::Grant& event);

    bool takeTables(const PoolSnapshot& snapshot);
    bool takeFreeQueue(const PoolSnapshot& snapshot);
    [[nodiscard]] bool isSound() const;
    [[nodiscard]] bool isActive(BlockId id) const { return knows(id) && m_blocks[id.value].refCount > 0; }
    [[nodiscard]] bool knows(BlockId id) const { return id != kNullBlock && id.value < m_blocks.size(); }
    void change(BlockId id, const BlockState& next);
    void markChanged(BlockId id);
    void takeFromQueue(BlockId id);
    bool addOwner(BlockId id, SequenceId sequence, std::int32_t position);
    bool endTable(SequenceId sequence);
    void removeFromTable(const event::Free& event);

    std::vector<BlockState> m_blocks;
    BlockOwners m_owners;
    std::vector<BlockPast> m_pasts; ///< (num_blocks)
    FreeQueue m_freeQueue;
    FreeRuns m_freeRuns;
    Tables m_tables;
    std::map<SequenceId, std::int32_t> m_finalSlots; ///< contiguous modes
    std::vector<BlockId> m_changed;
    std::vector<bool> m_isChanged;
    std::uint64_t m_step = 0;
    std::uint32_t m_generation = 0;
    PoolTotals m_totals;
    std::int32_t m_blockSize = 0;
    bool m_contiguous = false;
    std::int32_t m_layerGroups = 1;
};

} // namespace vitrine::ui
