// SPDX-License-Identifier: GPL-3.0-or-later
// How sequences get room in the block pool: the policy that `allocator paged | contiguous-…` chooses.
#pragma once
#include "engine/cache/block_hash.h"
#include "engine/cache/block_pool.h"
#include "engine/cache/block_table.h"
#include "engine/engine_options.h"
#include "engine/ids.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace vitrine {

/// What a sequence asks for when it is admitted.
struct KvDemand {
    std::span<const TokenId> tokens; ///< all it has: the prompt, and what it generated before a preemption
    std::int32_t promptTokens = 0;
    std::int32_t maxTokens = 0; ///< of the answer; 0: not known, nothing is reserved for it
};

/// The answer to a demand. A refusal has changed nothing.
struct KvGrant {
    bool granted = false;
    std::int32_t cachedTokens = 0;            ///< found in the prefix cache: need not be computed
    WaitReason reason = WaitReason::Capacity; ///< of a refusal: Capacity or Fragmentation
    std::int32_t needBlocks = 0;              ///< new blocks and those hits that lie in the free queue
    std::int32_t haveBlocks = 0;              ///< what may be taken
};

struct KvCopy {
    BlockId source;
    BlockId target;
    std::int32_t slotCount; ///< [0, slotCount) are copied
    std::int32_t position;  ///< of both in the table
};

class KvAllocator {
public:
    explicit KvAllocator(BlockPool& pool)
        : m_pool(pool)
    {
    }
    virtual ~KvAllocator() = default;
    KvAllocator(const KvAllocator&) = delete;
    KvAllocator& operator=(const KvAllocator&) = delete;

    /// Blocks that a sequence holds when it is as long as it may get.
    [[nodiscard]] virtual std::int64_t blocksAtMost(const KvDemand& demand) const = 0;
    /// Leading tokens that the prefix cache holds, at most all but the last: something must be left to
    /// compute.
    [[nodiscard]] virtual std::int32_t cachedTokens(BlockTable& table, std::span<const TokenId> tokens) = 0;
    /// Room for all tokens, or nothing. `keepFree`: blocks that must stay free.
    [[nodiscard]] virtual KvGrant admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree) = 0;
    /// Room for `tokens` tokens in all. False, and nothing changed, where there is none.
    [[nodiscard]] virtual bool grow(BlockTable& table, std::int32_t tokens) = 0;
    /// A finished step wrote tokens [first, first + count): their slots are filled, full blocks may be
    /// published.
    virtual void written(BlockTable& table, std::span<const TokenId> tokens, std::int32_t first,
                         std::int32_t count);
    /// Every reference goes back, the last block first.
    virtual void release(BlockTable& table);
    /// No layer looks at tokens below `firstToken` any more: the null block takes the place of their whole
    /// blocks.
    virtual void releaseBefore(BlockTable& table, std::int32_t firstToken);

    /// Whether sequences can hold blocks together: by equal prefixes, or as answers to one prompt.
    [[nodiscard]] virtual bool cachesPrefixes() const { return false; }
    [[nodiscard]] virtual bool canFork() const { return false; }
    /// As admit(), for a sequence whose first `sharedTokens` tokens stand in the blocks of another: these are
    /// shared, the last one too where it holds only some of them; room for its copy is counted. Precondition:
    /// canFork().
    [[nodiscard]] KvGrant fork(BlockTable& table, const BlockTable& source, std::int32_t sharedTokens,
                               std::int32_t tokens, std::int32_t keepFree);
    /// Gives the table a block of its own where `firstToken` is written and others count on the block that is
    /// there. The caller has the slots before firstToken copied, and then frees the source.
    [[nodiscard]] std::optional<KvCopy> copyOnWrite(BlockTable& table, std::int32_t firstToken);

protected:
    /// ceil(tokens / block_size)
    [[nodiscard]] std::int32_t blocksFor(std::int64_t tokens) const;
    void append(BlockTable& table);

    BlockPool& m_pool;
};

[[nodiscard]] std::unique_ptr<KvAllocator> makeKvAllocator(const SchedulerOptions& options, BlockPool& pool,
                                                           BlockHash hash = hashBlock);

} // namespace vitrine
