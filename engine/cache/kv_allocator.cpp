// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/kv_allocator.h"

#include "engine/cache/contiguous_allocator.h"
#include "engine/cache/paged_allocator.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vitrine {

void KvAllocator::written(BlockTable& table, [[maybe_unused]] std::span<const TokenId> tokens,
                          std::int32_t first, std::int32_t count)
{
    assert(first + count <= table.grantedTokens && table.grantedTokens <= std::int32_t(tokens.size()));
    const std::int32_t blockSize = m_pool.blockSize();
    const std::int32_t end = first + count;
    // With the KV cache off a sequence is written again from its start: what lies behind stays written.
    table.writtenTokens = std::max(table.writtenTokens, end);
    for (std::int32_t i = first / blockSize; i * blockSize < end; ++i) {
        const BlockId block = table.blocks[std::size_t(i)];
        m_pool.fill(block, std::min(blockSize, table.writtenTokens - i * blockSize));
    }
}

void KvAllocator::release(BlockTable& table)
{
    for (auto i = std::int32_t(table.blocks.size()) - 1; i >= 0; --i) {
        const BlockId block = table.blocks[std::size_t(i)];
        if (block != kNullBlock)
            m_pool.free(block, table.sequence, i);
    }
    table.blocks.clear();
    table.chain.clear();
    table.grantedTokens = 0;
    table.writtenTokens = 0;
}

void KvAllocator::releaseBefore(BlockTable& table, std::int32_t firstToken)
{
    const std::int32_t whole = std::max(firstToken, 0) / m_pool.blockSize();
    // Backwards until the blocks that an earlier call has released.
    for (std::int32_t i = whole - 1; i >= 0 && table.blocks[std::size_t(i)] != kNullBlock; --i)
        m_pool.free(std::exchange(table.blocks[std::size_t(i)], kNullBlock), table.sequence, i);
}

KvGrant KvAllocator::fork(BlockTable& table, const BlockTable& source, std::int32_t sharedTokens,
                          std::int32_t tokens, std::int32_t keepFree)
{
    assert(canFork() && table.blocks.empty());
    const std::int32_t whole = sharedTokens / m_pool.blockSize();
    KvGrant grant{.cachedTokens = sharedTokens};
    grant.needBlocks = blocksFor(tokens) - whole;
    grant.haveBlocks = std::max(0, m_pool.freeBlocks() - keepFree);
    grant.granted = grant.needBlocks <= grant.haveBlocks;
    if (!grant.granted)
        return grant;
    for (std::int32_t i = 0; i < blocksFor(sharedTokens); ++i) {
        table.blocks.push_back(source.blocks[std::size_t(i)]);
        m_pool.share(table.blocks.back(), table.sequence, i);
    }
    const auto chained = std::ptrdiff_t(std::min(source.chain.size(), std::size_t(whole)));
    table.chain.assign(source.chain.begin(), source.chain.begin() + chained);
    table.hashes.assign(source.hashes.begin(), source.hashes.begin() + chained);
    while (std::int32_t(table.blocks.size()) < blocksFor(tokens))
        append(table);
    table.grantedTokens = tokens;
    return grant;
}

std::optional<KvCopy> KvAllocator::copyOnWrite(BlockTable& table, std::int32_t firstToken)
{
    const std::int32_t position = firstToken / m_pool.blockSize();
    BlockId& entry = table.blocks[std::size_t(position)];
    if (m_pool.state(entry).refCount == 1 && !m_pool.state(entry).hashed)
        return std::nullopt;
    const std::int32_t slotCount = firstToken % m_pool.blockSize();
    const BlockId source = std::exchange(entry, m_pool.copy(entry, slotCount, table.sequence, position));
    return KvCopy{source, entry, slotCount, position};
}

std::int32_t KvAllocator::blocksFor(std::int64_t tokens) const
{
    return std::int32_t((tokens + m_pool.blockSize() - 1) / m_pool.blockSize());
}

void KvAllocator::append(BlockTable& table)
{
    const auto position = std::int32_t(table.blocks.size());
    table.blocks.push_back(m_pool.allocate(table.sequence, position));
}

std::unique_ptr<KvAllocator> makeKvAllocator(const SchedulerOptions& options, BlockPool& pool, BlockHash hash)
{
    if (options.allocator != Allocator::Paged)
        return std::make_unique<ContiguousAllocator>(pool, options.allocator, options.maxModelLen);
    const bool sharing = options.enablePrefixCaching && options.kvCache;
    return std::make_unique<PagedAllocator>(pool, sharing ? hash : nullptr);
}

} // namespace vitrine
