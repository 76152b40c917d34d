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
    for (std::int32_t row = first / blockSize; row * blockSize < end; ++row) {
        const std::int32_t filled = std::min(blockSize, table.writtenTokens - row * blockSize);
        for (std::int32_t group = 0; group < m_shape.groups(); ++group)
            m_pool.fill(entry(table, row, group), filled);
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

void KvAllocator::releasePassed(BlockTable& table, std::int32_t computed)
{
    if (!m_shape.hasWindows())
        return;
    for (std::int32_t group = 0; group < m_shape.groups(); ++group) {
        // Backwards until the blocks that an earlier call has released.
        for (std::int32_t row = m_shape.firstRow(group, computed) - 1;
             row >= 0 && entry(table, row, group) != kNullBlock; --row)
            m_pool.free(std::exchange(entry(table, row, group), kNullBlock), table.sequence,
                        m_shape.position(row, group));
    }
}

/// The last group lends all its rows: what stands in them is named by those before it.
bool KvAllocator::canShare(const BlockTable& source, std::int32_t sharedTokens) const
{
    for (std::int32_t group = 0; group < m_shape.groups(); ++group) {
        const std::int32_t first = group == m_shape.lastGroup() ? 0 : m_shape.firstRow(group, sharedTokens);
        if (source.blocks[std::size_t(m_shape.position(first, group))] == kNullBlock)
            return false;
    }
    return true;
}

KvGrant KvAllocator::fork(BlockTable& table, const BlockTable& source, std::int32_t sharedTokens,
                          std::int32_t tokens, std::int32_t keepFree)
{
    assert(canFork() && canShare(source, sharedTokens) && table.blocks.empty());
    const std::int32_t whole = sharedTokens / m_pool.blockSize();
    KvGrant grant{.cachedTokens = sharedTokens};
    for (std::int32_t group = 0; group < m_shape.groups(); ++group)
        grant.needBlocks += m_shape.endRow(group, tokens, sharedTokens) - whole;
    grant.haveBlocks = std::max(0, m_pool.freeBlocks() - keepFree);
    grant.granted = grant.needBlocks <= grant.haveBlocks;
    if (!grant.granted)
        return grant;
    share(table,
          std::span(source.blocks).first(std::size_t(m_shape.position(m_shape.rowsFor(sharedTokens), 0))),
          sharedTokens);
    const auto chained = std::ptrdiff_t(std::min(source.chain.size(), std::size_t(whole)));
    table.chain.assign(source.chain.begin(), source.chain.begin() + chained);
    table.hashes.assign(source.hashes.begin(), source.hashes.begin() + chained);
    const bool grown = grow(table, tokens, sharedTokens);
    assert(grown);
    static_cast<void>(grown);
    return grant;
}

void KvAllocator::share(BlockTable& table, std::span<const BlockId> rows, std::int32_t computed)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto position = std::int32_t(i);
        const bool isSeen = m_shape.rowOf(position) >= m_shape.firstRow(m_shape.groupOf(position), computed);
        const bool isChain = m_shape.groupOf(position) == m_shape.lastGroup();
        table.blocks.push_back(isSeen || isChain ? rows[i] : kNullBlock);
        if (isSeen || isChain)
            m_pool.share(rows[i], table.sequence, position);
    }
    releasePassed(table, computed);
}

std::vector<KvCopy> KvAllocator::copyOnWrite(BlockTable& table, std::int32_t firstToken)
{
    std::vector<KvCopy> copies;
    const std::int32_t row = firstToken / m_pool.blockSize();
    const std::int32_t slotCount = firstToken % m_pool.blockSize();
    for (std::int32_t group = 0; group < m_shape.groups(); ++group) {
        BlockId& block = entry(table, row, group);
        if (m_pool.state(block).refCount == 1 && !m_pool.state(block).hashed)
            continue;
        const std::int32_t position = m_shape.position(row, group);
        const BlockId source = std::exchange(block, m_pool.copy(block, slotCount, table.sequence, position));
        copies.push_back({source, block, slotCount, position});
    }
    return copies;
}

std::unique_ptr<KvAllocator> makeKvAllocator(const SchedulerOptions& options, BlockPool& pool, BlockHash hash)
{
    const TableShape shape(options);
    if (options.allocator != Allocator::Paged)
        return std::make_unique<ContiguousAllocator>(pool, shape, options.allocator, options.maxModelLen);
    const bool sharing = options.enablePrefixCaching && options.kvCache;
    return std::make_unique<PagedAllocator>(pool, shape, sharing ? hash : nullptr);
}

} // namespace vitrine
