// SPDX-License-Identifier: GPL-3.0-or-later
// BlockPool::findFaults: the pool's own invariants, from scratch.
#include "engine/cache/block_pool.h"

namespace vitrine {

namespace {

std::string name(BlockId id)
{
    return "block " + std::to_string(id.value);
}

void checkBlock(const BlockPool& pool, BlockId id, std::vector<std::string>& faults)
{
    const BlockState& state = pool.state(id);
    if (state.refCount < 0)
        faults.push_back(name(id) + " has a negative ref_cnt");
    if ((state.refCount == 0) != pool.isFree(id))
        faults.push_back(name(id) + ": ref_cnt 0 and membership of the free queue disagree");
    if (state.filled < 0 || state.filled > pool.blockSize())
        faults.push_back(name(id) + ": filled slots outside the block");
    if (state.refCount == 0 && !state.hashed && state.filled != 0)
        faults.push_back(name(id) + " is clean-free but filled");
    if (!state.hashed)
        return;
    if (state.filled != pool.blockSize())
        faults.push_back(name(id) + " is hashed but not full");
    // Its hash may lead to a newer block, or nowhere once that is gone; never to a block of another hash.
    const BlockId indexed = pool.prefixes().blockOf(state.hash);
    if (indexed != kNullBlock && (!pool.state(indexed).hashed || pool.state(indexed).hash != state.hash))
        faults.push_back(name(id) + ": its hash leads to a block of another");
}

void checkQueue(const FreeQueue& queue, std::int32_t numBlocks, std::vector<std::string>& faults)
{
    std::int32_t forward = 0;
    for (BlockId id = queue.front(); id != kNullBlock && forward <= numBlocks; id = queue.next(id))
        ++forward;
    std::int32_t backward = 0;
    for (BlockId id = queue.back(); id != kNullBlock && backward <= numBlocks; id = queue.previous(id))
        ++backward;
    if (forward != queue.size() || backward != queue.size())
        faults.push_back("the free queue holds " + std::to_string(forward) + " forward, " +
                         std::to_string(backward) + " backward, " + std::to_string(queue.size()) +
                         " by count");
}

} // namespace

std::vector<std::string> BlockPool::findFaults() const
{
    std::vector<std::string> faults;
    std::int32_t hashed = 0;
    std::int32_t cleanFree = 0;
    for (std::uint32_t i = 1; i < m_states.size(); ++i) {
        checkBlock(*this, BlockId{i}, faults);
        hashed += m_states[i].hashed ? 1 : 0;
        cleanFree += m_states[i].refCount == 0 && !m_states[i].hashed ? 1 : 0;
    }
    checkQueue(m_freeQueue, numBlocks(), faults);
    if (m_states[0] != BlockState{})
        faults.push_back("the null block was used");
    if (m_prefixes.size() > hashed)
        faults.push_back("the prefix index knows blocks that are not hashed");
    if (!m_totals.agreeWith(m_states))
        faults.push_back("the running totals differ from the blocks");
    if (cleanFree + m_totals.cachedFreeBlocks() + m_totals.activeBlocks() + 1 != numBlocks())
        faults.push_back("clean-free + cached-free + active + null is not the number of blocks");
    return faults;
}

} // namespace vitrine
