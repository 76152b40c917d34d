// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_pool.h"

#include <cassert>

namespace vitrine {

BlockPool::BlockPool(std::int32_t numBlocks, std::int32_t blockSize, StepRecorder& recorder)
    : m_blockSize(blockSize)
    , m_recorder(recorder)
    , m_states(static_cast<std::size_t>(numBlocks))
    , m_freeQueue(numBlocks)
    , m_prefixes(numBlocks, blockSize)
    , m_totals(m_states)
{
    assert(numBlocks >= 2 && blockSize >= 1);
    for (std::uint32_t i = 1; i < m_states.size(); ++i)
        m_freeQueue.pushBack(BlockId{i});
}

BlockId BlockPool::allocate(SequenceId sequence, std::int32_t position)
{
    const BlockId block = m_freeQueue.front();
    m_prefixes.prefetch(m_states[m_freeQueue.next(block).value].hash); // the next to be evicted, most likely
    allocate(block, sequence, position);
    return block;
}

void BlockPool::allocate(BlockId block, SequenceId sequence, std::int32_t position)
{
    assert(isFree(block));
    m_freeQueue.remove(block);
    if (m_states[block.value].hashed)
        evict(block);
    change(block, {.refCount = 1});
    m_totals.enter(block, sequence, position);
    m_fresh.push_back(block);
    m_recorder.record(event::Alloc{block, sequence, position});
}

void BlockPool::share(BlockId block, SequenceId sequence, std::int32_t position)
{
    BlockState next = m_states[block.value];
    assert(next.refCount > 0 || next.hashed);
    if (next.refCount == 0)
        m_freeQueue.remove(block);
    ++next.refCount;
    change(block, next);
    m_totals.enter(block, sequence, position);
    m_recorder.record(event::Share{block, sequence, position});
}

BlockId BlockPool::copy(BlockId source, std::int32_t slotCount, SequenceId sequence, std::int32_t position)
{
    assert(slotCount <= m_states[source.value].filled);
    const BlockId target = allocate(sequence, position);
    m_recorder.record(event::Copy{source, target});
    fill(target, slotCount);
    return target;
}

void BlockPool::fill(BlockId block, std::int32_t filled)
{
    BlockState next = m_states[block.value];
    assert(next.refCount > 0 && filled <= m_blockSize);
    if (next.filled == filled)
        return;
    next.filled = filled;
    change(block, next);
    m_recorder.record(event::Fill{block, filled});
}

void BlockPool::free(BlockId block, SequenceId sequence, std::int32_t position)
{
    BlockState next = m_states[block.value];
    assert(next.refCount > 0);
    if (--next.refCount == 0) {
        if (next.hashed)
            m_freeQueue.pushBack(block);
        else
            m_freeQueue.pushFront(block);
        next.filled = next.hashed ? next.filled : 0;
    }
    change(block, next);
    m_totals.leave(block, sequence, position);
    m_recorder.record(event::Free{block, sequence, position});
}

PrefixId BlockPool::publish(BlockId block, const BlockContent& content)
{
    if (const auto known = m_prefixes.find(content))
        return known->prefix;
    BlockState next = m_states[block.value];
    assert(next.refCount > 0 && next.filled == m_blockSize && !next.hashed);
    const PrefixId prefix = m_prefixes.add(block, content);
    next.hashed = true;
    next.hash = content.hash;
    change(block, next);
    m_recorder.record(event::Publish{block, content.hash});
    return prefix;
}

void BlockPool::dropCached()
{
    for (BlockId block = m_freeQueue.front(); block != kNullBlock; block = m_freeQueue.next(block)) {
        if (!m_states[block.value].hashed)
            continue;
        evict(block);
        change(block, {});
    }
}

void BlockPool::takeFresh(std::vector<BlockId>& blocks)
{
    blocks.insert(blocks.end(), m_fresh.begin(), m_fresh.end());
    m_fresh.clear();
}

PoolSnapshot BlockPool::snapshot() const
{
    PoolSnapshot snapshot;
    snapshot.blockSize = m_blockSize;
    snapshot.blocks = m_states;
    snapshot.freeQueue = m_freeQueue.toVector();
    snapshot.checksum = checksum();
    return snapshot;
}

void BlockPool::evict(BlockId block)
{
    m_prefixes.remove(block, m_states[block.value].hash);
    ++m_evictions;
    m_recorder.record(event::Evict{block});
}

void BlockPool::change(BlockId block, const BlockState& next)
{
    BlockState& state = m_states[block.value];
    m_totals.replace(block, state, next);
    state = next;
}

} // namespace vitrine
