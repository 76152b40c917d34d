// SPDX-License-Identifier: GPL-3.0-or-later
// The physical blocks of the KV cache: who counts on them, how far they are written, which can be shared or
// taken. It knows blocks, not sequences: the tables belong to the sequences, the policy to KvAllocator and
// Scheduler.
#pragma once
#include "engine/cache/block_hash.h"
#include "engine/cache/block_table.h"
#include "engine/cache/free_queue.h"
#include "engine/cache/prefix_index.h"
#include "engine/ids.h"
#include "engine/trace/step_record.h"
#include "engine/trace/step_recorder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vitrine {

/// A published block found by its content, and the chain that ends with it.
struct PrefixHit {
    BlockId block;
    PrefixId prefix;
};

class BlockPool {
public:
    /// `numBlocks` counts the null block (at least 2). The recorder must outlive the pool.
    BlockPool(std::int32_t numBlocks, std::int32_t blockSize, StepRecorder& recorder,
              BlockHash hash = hashBlock);

    [[nodiscard]] std::int32_t blockSize() const { return m_blockSize; }
    [[nodiscard]] std::int32_t numBlocks() const { return static_cast<std::int32_t>(m_states.size()); }
    [[nodiscard]] std::int32_t usableBlocks() const { return numBlocks() - 1; }
    [[nodiscard]] std::int32_t freeBlocks() const { return m_freeQueue.size(); }
    [[nodiscard]] std::int32_t cachedFreeBlocks() const { return m_cachedFree; }
    [[nodiscard]] std::int32_t activeBlocks() const { return usableBlocks() - freeBlocks(); }
    /// Written slots of the active blocks, each block counted once.
    [[nodiscard]] std::int64_t usedSlots() const { return m_usedSlots; }
    [[nodiscard]] const BlockState& state(BlockId id) const { return m_states[id.value]; }
    [[nodiscard]] bool isFree(BlockId id) const { return m_freeQueue.contains(id); }
    [[nodiscard]] const FreeQueue& freeQueue() const { return m_freeQueue; }
    /// Blocks that lost their content to another use, ever.
    [[nodiscard]] std::uint64_t evictions() const { return m_evictions; }

    /// The front of the free queue, evicted where it is cached. Precondition: freeBlocks() > 0.
    [[nodiscard]] BlockId allocate(SequenceId sequence, std::int32_t position);
    /// The same with a certain block. Precondition: it is free.
    void allocate(BlockId block, SequenceId sequence, std::int32_t position);
    /// One more reference to a block that holds something, active or cached-free (it then leaves the free
    /// queue).
    void share(BlockId block, SequenceId sequence, std::int32_t position);
    /// A new block that takes the place of `source` in the table; the caller runs the copy, then frees
    /// `source`.
    [[nodiscard]] BlockId copyOnWrite(BlockId source, std::int32_t filled, SequenceId sequence,
                                      std::int32_t position);
    /// Slots [0, filled) are written now.
    void fill(BlockId block, std::int32_t filled);
    /// Gives a reference back. At zero the block joins the free queue: unhashed in front, hashed at the end.
    void free(BlockId block, SequenceId sequence);

    [[nodiscard]] std::uint64_t hash(std::uint64_t parent, std::span<const TokenId> tokens,
                                     std::uint64_t extraKey) const;
    /// Compares parent, tokens and key besides the hash: a collision is a miss.
    [[nodiscard]] std::optional<PrefixHit>
    find(std::uint64_t hash, PrefixId parent, std::span<const TokenId> tokens, std::uint64_t extraKey) const;
    /// Lets later prompts share a full block; only after the step that wrote it. Where the same content is
    /// there already, or another block has the hash, the block stays unhashed. Returns the chain that ends
    /// with the block.
    PrefixId publish(BlockId block, std::uint64_t hash, PrefixId parent, std::span<const TokenId> tokens,
                     std::uint64_t extraKey);
    /// Forgets the content of every cached-free block.
    void dropCached();

    /// Equals poolChecksum() of the states; kept up to date by each change.
    [[nodiscard]] std::uint64_t checksum() const { return m_checksum; }
    /// Blocks and free queue; the scheduler adds the sequences and the step.
    [[nodiscard]] PoolSnapshot snapshot() const;
    /// What is broken, in words; empty in a sound pool. O(num_blocks).
    [[nodiscard]] std::vector<std::string> findFaults() const;

private:
    /// What a published block was published as. Beside BlockState, as only prefix lookups need it.
    struct Published {
        PrefixId parent;
        PrefixId prefix;
        std::uint64_t extraKey = 0;
    };

    void take(BlockId block);
    void evict(BlockId block);
    void change(BlockId block, const BlockState& next);
    [[nodiscard]] std::span<const TokenId> publishedTokens(BlockId block) const;

    const std::int32_t m_blockSize;
    const BlockHash m_hash;
    StepRecorder& m_recorder;
    std::vector<BlockState> m_states; ///< (num_blocks)
    FreeQueue m_freeQueue;
    PrefixIndex m_index;
    std::vector<Published> m_published;     ///< (num_blocks) from the first publication on
    std::vector<TokenId> m_publishedTokens; ///< (num_blocks, block_size) likewise
    std::uint64_t m_lastPrefix = 0;
    std::uint64_t m_checksum = 0;
    std::uint64_t m_evictions = 0;
    std::int64_t m_usedSlots = 0;
    std::int32_t m_cachedFree = 0;
};

} // namespace vitrine
