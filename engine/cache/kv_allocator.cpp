// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/kv_allocator.h"

#include "engine/cache/paged_allocator.h"

#include <algorithm>
#include <cassert>
#include <ranges>

namespace vitrine {

void KvAllocator::written(BlockTable& table, std::span<const TokenId> tokens, std::int32_t first,
                          std::int32_t count)
{
    assert(first + count <= table.grantedTokens && table.grantedTokens <= std::int32_t(tokens.size()));
    const std::int32_t blockSize = m_pool.blockSize();
    const std::int32_t end = first + count;
    for (std::int32_t i = first / blockSize; i * blockSize < end; ++i) {
        const BlockId block = table.blocks[std::size_t(i)];
        const std::int32_t filled = std::min(blockSize, end - i * blockSize);
        // With the KV cache off a sequence is written again from its start: what lies behind stays written.
        m_pool.fill(block, std::max(filled, m_pool.state(block).filled));
    }
}

void KvAllocator::release(BlockTable& table)
{
    for (const BlockId block : table.blocks | std::views::reverse) {
        if (block != kNullBlock)
            m_pool.free(block, table.sequence);
    }
    table.blocks.clear();
    table.grantedTokens = 0;
    table.chainedBlocks = 0;
    table.prefix = {};
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
    const bool sharing = options.enablePrefixCaching && options.kvCache;
    return std::make_unique<PagedAllocator>(pool, sharing ? hash : nullptr);
}

} // namespace vitrine
