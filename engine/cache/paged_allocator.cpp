// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/paged_allocator.h"

#include <algorithm>
#include <cassert>

namespace vitrine {

PagedAllocator::PagedAllocator(BlockPool& pool, BlockHash hash)
    : KvAllocator(pool)
    , m_hash(hash)
{
}

std::int64_t PagedAllocator::blocksAtMost(const KvDemand& demand) const
{
    return blocksFor(std::int64_t(demand.promptTokens) + demand.maxTokens);
}

std::int32_t PagedAllocator::cachedTokens(BlockTable& table, std::span<const TokenId> tokens)
{
    findHits(table, tokens);
    return std::int32_t(m_hits.size()) * m_pool.blockSize();
}

KvGrant PagedAllocator::admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree)
{
    assert(table.blocks.empty());
    const auto tokens = std::int32_t(demand.tokens.size());
    KvGrant grant{.cachedTokens = cachedTokens(table, demand.tokens)};
    // A hit that lies in the free queue counts too: it leaves the queue as a new block does.
    grant.needBlocks = blocksFor(tokens) - std::int32_t(m_hits.size()) + countFreeHits();
    grant.haveBlocks = std::max(0, m_pool.freeBlocks() - keepFree);
    grant.granted = grant.needBlocks <= grant.haveBlocks;
    if (!grant.granted)
        return grant;
    takeHits(table); // before anything is allocated, or the allocation might evict them
    const bool grown = grow(table, tokens);
    assert(grown);
    static_cast<void>(grown);
    return grant;
}

bool PagedAllocator::grow(BlockTable& table, std::int32_t tokens)
{
    const auto total = std::size_t(blocksFor(tokens));
    if (total > table.blocks.size() + std::size_t(m_pool.freeBlocks()))
        return false;
    while (table.blocks.size() < total)
        append(table);
    table.grantedTokens = std::max(table.grantedTokens, tokens);
    return true;
}

void PagedAllocator::written(BlockTable& table, std::span<const TokenId> tokens, std::int32_t first,
                             std::int32_t count)
{
    KvAllocator::written(table, tokens, first, count);
    if (m_hash != nullptr)
        publishFull(table, tokens, first + count);
}

void PagedAllocator::findHits(BlockTable& table, std::span<const TokenId> tokens)
{
    m_hits.clear();
    if (m_hash == nullptr || tokens.empty())
        return;
    const std::size_t most = (tokens.size() - 1) / std::size_t(m_pool.blockSize());
    PrefixId parent;
    while (m_hits.size() < most) {
        const auto hit = m_pool.find(contentAt(table, tokens, m_hits.size(), parent));
        if (!hit)
            return;
        m_hits.push_back(*hit);
        parent = hit->prefix;
    }
}

std::int32_t PagedAllocator::countFreeHits() const
{
    const auto isFree = [this](const PrefixHit& hit) { return m_pool.isFree(hit.block); };
    return std::int32_t(std::ranges::count_if(m_hits, isFree));
}

void PagedAllocator::takeHits(BlockTable& table)
{
    for (const PrefixHit& hit : m_hits) {
        m_pool.share(hit.block, table.sequence, std::int32_t(table.blocks.size()));
        table.blocks.push_back(hit.block);
        table.chain.push_back(hit.prefix);
    }
}

void PagedAllocator::publishFull(BlockTable& table, std::span<const TokenId> tokens, std::int32_t end)
{
    const auto full = std::size_t(end / m_pool.blockSize());
    // All hashes first: the index is larger than the caches, and finds many entries sooner than one after the
    // other.
    for (std::size_t i = table.chain.size(); i < full; ++i)
        m_pool.prefetch(contentAt(table, tokens, i, {}).hash);
    for (std::size_t i = table.chain.size(); i < full; ++i) {
        const PrefixId parent = i == 0 ? PrefixId{} : table.chain.back();
        table.chain.push_back(m_pool.publish(table.blocks[i], contentAt(table, tokens, i, parent)));
    }
}

/// The full block `index` of the tokens. Hashes are computed once and kept with the table.
BlockContent PagedAllocator::contentAt(BlockTable& table, std::span<const TokenId> tokens, std::size_t index,
                                       PrefixId parent) const
{
    const auto blockSize = std::size_t(m_pool.blockSize());
    const auto slice = tokens.subspan(index * blockSize, blockSize);
    assert(index <= table.hashes.size());
    if (index == table.hashes.size()) {
        const std::uint64_t parentHash = index == 0 ? 0 : table.hashes.back();
        table.hashes.push_back(m_hash(parentHash, slice, table.extraKey));
    }
    return {.hash = table.hashes[index], .parent = parent, .tokens = slice, .extraKey = table.extraKey};
}

} // namespace vitrine
