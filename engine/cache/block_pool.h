// SPDX-License-Identifier: GPL-3.0-or-later
// The physical blocks of the KV cache: who counts on them, how far they are written, which can be shared or
// taken. It knows blocks, not sequences: tables belong to the sequences, policy to KvAllocator and Scheduler.
#pragma once
#include "engine/cache/block_hash.h"
#include "engine/cache/free_queue.h"
#include "engine/cache/prefix_cache.h"
#include "engine/ids.h"
#include "engine/trace/pool_totals.h"
#include "engine/trace/step_record.h"
#include "engine/trace/step_recorder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vitrine {

class BlockPool {
public:
    /// `numBlocks` counts the null block (at least 2). The recorder must outlive the pool.
    BlockPool(std::int32_t numBlocks, std::int32_t blockSize, StepRecorder& recorder);

    [[nodiscard]] std::int32_t blockSize() const { return m_blockSize; }
    [[nodiscard]] std::int32_t numBlocks() const { return static_cast<std::int32_t>(m_states.size()); }
    [[nodiscard]] std::int32_t usableBlocks() const { return numBlocks() - 1; }
    [[nodiscard]] std::int32_t freeBlocks() const { return m_freeQueue.size(); }
    [[nodiscard]] const PoolTotals& totals() const { return m_totals; }
    [[nodiscard]] const BlockState& state(BlockId id) const { return m_states[id.value]; }
    [[nodiscard]] bool isFree(BlockId id) const { return m_freeQueue.contains(id); }
    [[nodiscard]] const FreeQueue& freeQueue() const { return m_freeQueue; }
    [[nodiscard]] const PrefixCache& prefixes() const { return m_prefixes; }
    /// Blocks that lost their content to another use, ever.
    [[nodiscard]] std::uint64_t evictions() const { return m_evictions; }
    /// Equals poolChecksum() of the snapshot with its sequences; kept up to date by each change.
    [[nodiscard]] std::uint64_t checksum() const { return m_totals.checksum(); }

    /// The front of the free queue, evicted where it is cached. Precondition: freeBlocks() > 0.
    [[nodiscard]] BlockId allocate(SequenceId sequence, std::int32_t position);
    /// The same with a certain block. Precondition: it is free.
    void allocate(BlockId block, SequenceId sequence, std::int32_t position);
    /// One more reference to a block that holds something; a cached-free one leaves the free queue.
    void share(BlockId block, SequenceId sequence, std::int32_t position);
    /// A new block for the table entry where `source` stood, as the copy of its first `slotCount` slots. The
    /// caller has the slots copied and then frees `source`.
    [[nodiscard]] BlockId copy(BlockId source, std::int32_t slotCount, SequenceId sequence,
                               std::int32_t position);
    /// Slots [0, filled) are written now.
    void fill(BlockId block, std::int32_t filled);
    /// Gives a reference back. At zero the block joins the free queue: unhashed in front, hashed at the end.
    void free(BlockId block, SequenceId sequence, std::int32_t position);

    /// That find() or publish() is about to ask for this hash.
    void prefetch(std::uint64_t hash) const { m_prefixes.prefetch(hash); }
    [[nodiscard]] std::optional<PrefixHit> find(const BlockContent& content) const
    {
        return m_prefixes.find(content);
    }
    /// Lets later prompts share a full block; only after the step that wrote it. Where the same content is
    /// published already, the block stays unhashed. Returns the chain that ends with this content.
    PrefixId publish(BlockId block, const BlockContent& content);
    /// Forgets the content of every cached-free block.
    void dropCached();

    /// Blocks allocated since the last call: their content means nothing. Appended to `blocks`.
    void takeFresh(std::vector<BlockId>& blocks);

    /// Blocks and free queue; the scheduler adds the sequences and the step.
    [[nodiscard]] PoolSnapshot snapshot() const;
    /// What is broken, in words; empty in a sound pool. O(num_blocks).
    [[nodiscard]] std::vector<std::string> findFaults() const;

private:
    void evict(BlockId block); ///< from the index; the caller changes its state
    void change(BlockId block, const BlockState& next);

    const std::int32_t m_blockSize;
    StepRecorder& m_recorder;
    std::vector<BlockState> m_states; ///< (num_blocks)
    FreeQueue m_freeQueue;
    PrefixCache m_prefixes;
    PoolTotals m_totals;
    std::vector<BlockId> m_fresh;
    std::uint64_t m_evictions = 0;
};

} // namespace vitrine
