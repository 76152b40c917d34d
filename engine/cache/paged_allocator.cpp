// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/paged_allocator.h"

#include <algorithm>
#include <cassert>

namespace vitrine {

PagedAllocator::PagedAllocator(BlockPool& pool, const TableShape& shape, BlockHash hash)
    : KvAllocator(pool, shape)
    , m_hash(hash)
{
}

std::int64_t PagedAllocator::blocksAtMost(const KvDemand& demand) const
{
    return m_shape.blocksAtMost(std::int64_t(demand.promptTokens) + demand.maxTokens);
}

std::int32_t PagedAllocator::cachedTokens(BlockTable& table, std::span<const TokenId> tokens)
{
    findHits(table, tokens);
    return std::int32_t(m_hits.chain.size()) * m_pool.blockSize();
}

KvGrant PagedAllocator::admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree)
{
    assert(table.blocks.empty());
    const auto tokens = std::int32_t(demand.tokens.size());
    const std::int32_t cached = cachedTokens(table, demand.tokens);
    KvGrant grant{.cachedTokens = cached};
    // A hit that lies in the free queue counts too: it leaves the queue as a new block does.
    grant.needBlocks = countFreeHits(cached);
    for (std::int32_t group = 0; group < m_shape.groups(); ++group)
        grant.needBlocks += m_shape.endRow(group, tokens, cached) - std::int32_t(m_hits.chain.size());
    grant.haveBlocks = std::max(0, m_pool.freeBlocks() - keepFree);
    grant.granted = grant.needBlocks <= grant.haveBlocks;
    if (!grant.granted)
        return grant;
    share(table, m_hits.blocks, cached); // before anything is allocated, or the allocation might evict them
    table.chain = m_hits.chain;
    const bool grown = grow(table, tokens, cached);
    assert(grown);
    static_cast<void>(grown);
    return grant;
}

bool PagedAllocator::grow(BlockTable& table, std::int32_t tokens, std::int32_t computed)
{
    const std::int32_t rows = rowsOf(table);
    if ((m_shape.hasWindows() || m_shape.rowsFor(tokens) > rows) && !addRows(table, rows, tokens, computed))
        return false;
    table.grantedTokens = std::max(table.grantedTokens, m_shape.reach(m_shape.lastGroup(), tokens, computed));
    return true;
}

/// The blocks that a table of so many rows lacks, or none.
bool PagedAllocator::addRows(BlockTable& table, std::int32_t rows, std::int32_t tokens, std::int32_t computed)
{
    std::int32_t missing = 0;
    for (std::int32_t group = 0; group < m_shape.groups(); ++group)
        missing +=
            std::max(0, m_shape.endRow(group, tokens, computed) - firstMissing(table, rows, group, computed));
    if (missing > m_pool.freeBlocks())
        return false;
    // The last group reaches the furthest: its entries make the table as long as it gets.
    for (std::int32_t group = m_shape.lastGroup(); missing > 0; --group) {
        const std::int32_t end = m_shape.endRow(group, tokens, computed);
        for (std::int32_t row = firstMissing(table, rows, group, computed); row < end; ++row, --missing) {
            if (row == rowsOf(table))
                table.blocks.resize(table.blocks.size() + std::size_t(m_shape.groups()), kNullBlock);
            entry(table, row, group) = m_pool.allocate(table.sequence, m_shape.position(row, group));
        }
    }
    return true;
}

/// The first row of a group that never had a block; the table has `rows`.
std::int32_t PagedAllocator::firstMissing(const BlockTable& table, std::int32_t rows, std::int32_t group,
                                          std::int32_t computed) const
{
    if (!m_shape.hasWindow(group))
        return rows;
    std::int32_t row = computed / m_pool.blockSize();
    while (row < rows && table.blocks[std::size_t(m_shape.position(row, group))] != kNullBlock)
        ++row;
    return row;
}

void PagedAllocator::written(BlockTable& table, std::span<const TokenId> tokens, std::int32_t first,
                             std::int32_t count)
{
    KvAllocator::written(table, tokens, first, count);
    if (m_hash != nullptr)
        publishFull(table, tokens, first + count);
}

/// As many rows as suffice: of each group those that the next token's window sees.
void PagedAllocator::findHits(BlockTable& table, std::span<const TokenId> tokens)
{
    m_hits.blocks.clear();
    m_hits.chain.clear();
    m_hits.runs.assign(std::size_t(m_shape.groups()), 0);
    if (m_hash == nullptr || tokens.empty())
        return;
    const auto most = (std::int32_t(tokens.size()) - 1) / m_pool.blockSize();
    std::int32_t rows = 0;
    for (std::int32_t row = 0; row < most && findRow(table, tokens, row); ++row)
        if (sufficeFor((row + 1) * m_pool.blockSize()))
            rows = row + 1;
    m_hits.blocks.resize(std::size_t(m_shape.position(rows, 0)));
    m_hits.chain.resize(std::size_t(rows));
}

/// Each block of a row is found through what stands before it in the last group, which knows all rows.
bool PagedAllocator::findRow(BlockTable& table, std::span<const TokenId> tokens, std::int32_t row)
{
    const std::int32_t last = m_shape.lastGroup();
    const PrefixId parent = row == 0 ? PrefixId{} : m_hits.chain.back();
    const auto chained = m_pool.find(contentAt(table, tokens, row, last, parent));
    if (!chained)
        return false;
    for (std::int32_t group = 0; group < last; ++group) {
        const auto hit = m_pool.find(contentAt(table, tokens, row, group, parent));
        m_hits.blocks.push_back(hit ? hit->block : kNullBlock);
        if (!hit)
            m_hits.runs[std::size_t(group)] = row + 1;
    }
    m_hits.blocks.push_back(chained->block);
    m_hits.chain.push_back(chained->prefix);
    return true;
}

bool PagedAllocator::sufficeFor(std::int32_t computed) const
{
    for (std::int32_t group = 0; group < m_shape.groups(); ++group)
        if (m_hits.runs[std::size_t(group)] > m_shape.firstRow(group, computed))
            return false;
    return true;
}

std::int32_t PagedAllocator::countFreeHits(std::int32_t computed) const
{
    std::int32_t count = 0;
    for (std::int32_t i = 0; i < std::int32_t(m_hits.blocks.size()); ++i) {
        const bool isSeen = m_shape.rowOf(i) >= m_shape.firstRow(m_shape.groupOf(i), computed);
        count += isSeen && m_pool.isFree(m_hits.blocks[std::size_t(i)]) ? 1 : 0;
    }
    return count;
}

void PagedAllocator::publishFull(BlockTable& table, std::span<const TokenId> tokens, std::int32_t end)
{
    const std::int32_t first = std::int32_t(table.chain.size());
    const std::int32_t full = end / m_pool.blockSize();
    // All hashes first: the index is larger than the caches, and finds many entries sooner than one after the
    // other.
    for (std::int32_t row = first; row < full; ++row)
        for (std::int32_t group = 0; group < m_shape.groups(); ++group)
            m_pool.prefetch(contentAt(table, tokens, row, group, {}).hash);
    for (std::int32_t row = first; row < full; ++row) {
        const PrefixId parent = row == 0 ? PrefixId{} : table.chain.back();
        PrefixId chained;
        for (std::int32_t group = 0; group < m_shape.groups(); ++group) // the last one's is kept
            chained = m_pool.publish(entry(table, row, group), contentAt(table, tokens, row, group, parent));
        table.chain.push_back(chained);
    }
}

/// A group's part of a full row of the tokens. Hashes are computed once and kept with the table; the last
/// group's are those of the rows.
BlockContent PagedAllocator::contentAt(BlockTable& table, std::span<const TokenId> tokens, std::int32_t row,
                                       std::int32_t group, PrefixId parent) const
{
    const auto blockSize = std::size_t(m_pool.blockSize());
    const auto index = std::size_t(row);
    const auto slice = tokens.subspan(index * blockSize, blockSize);
    assert(index <= table.hashes.size());
    if (index == table.hashes.size()) {
        const std::uint64_t parentHash = row == 0 ? 0 : table.hashes.back();
        table.hashes.push_back(m_hash(parentHash, slice, table.extraKey));
    }
    return {.hash = hashInGroup(table.hashes[index], m_shape.lastGroup() - group),
            .parent = parent,
            .tokens = slice,
            .extraKey = table.extraKey,
            .layerGroup = group};
}

} // namespace vitrine
