// SPDX-License-Identifier: GPL-3.0-or-later
// How sequences get room in the block pool: the policy that `allocator paged | contiguous-…` chooses.
#pragma once
#include "engine/cache/block_hash.h"
#include "engine/cache/block_pool.h"
#include "engine/cache/block_table.h"
#include "engine/cache/table_shape.h"
#include "engine/engine_options.h"
#include "engine/ids.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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
    KvAllocator(BlockPool& pool, const TableShape& shape)
        : m_pool(pool)
        , m_shape(shape)
    {
    }
    virtual ~KvAllocator() = default;
    KvAllocator(const KvAllocator&) = delete;
    KvAllocator& operator=(const KvAllocator&) = delete;

    [[nodiscard]] const TableShape& shape() const { return m_shape; }
    /// Blocks that a sequence holds at most until it is as long as it may get.
    [[nodiscard]] virtual std::int64_t blocksAtMost(const KvDemand& demand) const = 0;
    /// Leading tokens that the prefix cache holds, at most all but the last: something must be left to
    /// compute.
    [[nodiscard]] virtual std::int32_t cachedTokens(BlockTable& table, std::span<const TokenId> tokens) = 0;
    /// Room for all tokens, as far as windows reach, or nothing. `keepFree`: blocks that must stay free.
    [[nodiscard]] virtual KvGrant admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree) = 0;
    /// Room for `tokens` tokens in all, as far as windows reach when `computed` of them are computed. False,
    /// and nothing changed, where there is none.
    [[nodiscard]] virtual bool grow(BlockTable& table, std::int32_t tokens, std::int32_t computed) = 0;
    /// A finished step wrote tokens [first, first + count): their slots are filled, full blocks may be
    /// published.
    virtual void written(BlockTable& table, std::span<const TokenId> tokens, std::int32_t first,
                         std::int32_t count);
    /// Every reference goes back, the last block first.
    virtual void release(BlockTable& table);
    /// The token at position `computed` is the next: the null block takes the place of the blocks that no
    /// window sees any more.
    void releasePassed(BlockTable& table, std::int32_t computed);

    /// Whether sequences can hold blocks together: by equal prefixes, or as answers to one prompt.
    [[nodiscard]] virtual bool cachesPrefixes() const { return false; }
    [[nodiscard]] virtual bool canFork() const { return false; }
    /// Whether a table still has all blocks that a fork of its first `sharedTokens` tokens needs.
    [[nodiscard]] bool canShare(const BlockTable& source, std::int32_t sharedTokens) const;
    /// As admit(), for a sequence whose first `sharedTokens` tokens stand in the blocks of another: these are
    /// shared, the last one too where it holds only some of them; room for its copy is counted. Precondition:
    /// canFork(), canShare().
    [[nodiscard]] KvGrant fork(BlockTable& table, const BlockTable& source, std::int32_t sharedTokens,
                               std::int32_t tokens, std::int32_t keepFree);
    /// Gives the table blocks of its own where `firstToken` is written and others count on those that are
    /// there. The caller has the slots before firstToken copied, and then frees the sources.
    [[nodiscard]] std::vector<KvCopy> copyOnWrite(BlockTable& table, std::int32_t firstToken);

protected:
    /// The blocks of a new table's first rows, up to the token at position `computed`. What no window sees is
    /// left out; those of the last group are touched all the same, as what stands behind them is found
    /// through them.
    void share(BlockTable& table, std::span<const BlockId> rows, std::int32_t computed);
    [[nodiscard]] BlockId& entry(BlockTable& table, std::int32_t row, std::int32_t group) const
    {
        return table.blocks[std::size_t(m_shape.position(row, group))];
    }
    [[nodiscard]] std::int32_t rowsOf(const BlockTable& table) const
    {
        const auto entries = std::int32_t(table.blocks.size());
        return m_shape.groups() == 1 ? entries : entries / m_shape.groups(); // each decode asks
    }

    BlockPool& m_pool;
    const TableShape m_shape;
};

[[nodiscard]] std::unique_ptr<KvAllocator> makeKvAllocator(const SchedulerOptions& options, BlockPool& pool,
                                                           BlockHash hash = hashBlock);

} // namespace vitrine
