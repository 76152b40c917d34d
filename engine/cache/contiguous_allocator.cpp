// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/contiguous_allocator.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

namespace vitrine {

namespace {

constexpr std::int32_t kNoRun = -1;

} // namespace

ContiguousAllocator::ContiguousAllocator(BlockPool& pool, const TableShape& shape, Allocator kind,
                                         std::int32_t maxModelLen)
    : KvAllocator(pool, shape)
    , m_kind(kind)
    , m_maxTokens(maxModelLen > 0 ? maxModelLen : shape.tokensWithin(pool.usableBlocks()))
    , m_holes{{1, pool.usableBlocks()}}
{
    assert(kind != Allocator::Paged);
}

/// The greatest length that is granted: max_model_len, or from prompt and answer where the answer's length is
/// known.
std::int64_t ContiguousAllocator::runTokens(const KvDemand& demand) const
{
    const auto prompt = std::int64_t(demand.promptTokens);
    if (m_kind == Allocator::ContiguousMax || demand.maxTokens == 0)
        return std::max(m_maxTokens, prompt);
    if (m_kind == Allocator::ContiguousOracle)
        return prompt + demand.maxTokens;
    const auto power = std::int64_t(std::bit_ceil(std::uint32_t(demand.maxTokens)));
    return std::max(std::min(prompt + power, m_maxTokens), prompt + demand.maxTokens);
}

std::int64_t ContiguousAllocator::blocksAtMost(const KvDemand& demand) const
{
    return m_shape.blocksAtMost(runTokens(demand));
}

KvGrant ContiguousAllocator::admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree)
{
    assert(table.blocks.empty());
    KvGrant grant;
    grant.needBlocks = std::int32_t(blocksAtMost(demand));
    grant.haveBlocks = std::max(0, m_pool.freeBlocks() - keepFree);
    if (grant.needBlocks > grant.haveBlocks)
        return grant;
    const std::int32_t first = takeFirstFit(grant.needBlocks);
    grant.granted = first != kNoRun;
    if (!grant.granted) {
        grant.reason = WaitReason::Fragmentation;
        grant.haveBlocks = longestRun();
        return grant;
    }
    for (std::int32_t i = 0; i < grant.needBlocks; ++i) {
        const BlockId block{std::uint32_t(first + i)};
        m_pool.allocate(block, table.sequence, i);
        table.blocks.push_back(block);
    }
    table.grantedTokens = std::int32_t(demand.tokens.size());
    return grant;
}

bool ContiguousAllocator::grow(BlockTable& table, std::int32_t tokens, std::int32_t)
{
    assert(m_shape.rowsFor(tokens) <= rowsOf(table));
    table.grantedTokens = std::max(table.grantedTokens, tokens);
    return true;
}

void ContiguousAllocator::release(BlockTable& table)
{
    if (!table.blocks.empty())
        giveBack({std::int32_t(table.blocks.front().value), std::int32_t(table.blocks.size())});
    KvAllocator::release(table);
}

std::int32_t ContiguousAllocator::longestRun() const
{
    const auto longest = std::ranges::max_element(m_holes, {}, &Hole::length);
    return longest == m_holes.end() ? 0 : longest->length;
}

std::int32_t ContiguousAllocator::takeFirstFit(std::int32_t length)
{
    const auto hole = std::ranges::find_if(m_holes, [=](const Hole& h) { return h.length >= length; });
    if (hole == m_holes.end())
        return kNoRun;
    const std::int32_t first = hole->first;
    hole->first += length;
    hole->length -= length;
    if (hole->length == 0)
        m_holes.erase(hole);
    return first;
}

/// Joined with the free neighbours on either side.
void ContiguousAllocator::giveBack(Hole hole)
{
    auto next = std::ranges::lower_bound(m_holes, hole.first, {}, &Hole::first);
    if (next != m_holes.end() && hole.first + hole.length == next->first) {
        hole.length += next->length;
        next = m_holes.erase(next);
    }
    if (next != m_holes.begin()) {
        Hole& previous = *std::prev(next);
        if (previous.first + previous.length == hole.first) {
            previous.length += hole.length;
            return;
        }
    }
    m_holes.insert(next, hole);
}

} // namespace vitrine
