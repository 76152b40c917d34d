// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/free_queue.h"

#include <cassert>

namespace vitrine {

FreeQueue::FreeQueue(std::int32_t numBlocks)
    : m_links(static_cast<std::size_t>(numBlocks))
{
    assert(numBlocks >= 1);
    m_links[0] = {0, 0};
}

void FreeQueue::remove(BlockId id)
{
    assert(id != kNullBlock && contains(id));
    Link& link = m_links[id.value];
    m_links[link.previous].next = link.next;
    m_links[link.next].previous = link.previous;
    link = {};
    --m_size;
}

void FreeQueue::insertAfter(BlockId place, BlockId id)
{
    assert(id != kNullBlock && !contains(id));
    const std::uint32_t next = m_links[place.value].next;
    m_links[id.value] = {place.value, next};
    m_links[place.value].next = id.value;
    m_links[next].previous = id.value;
    ++m_size;
}

std::vector<BlockId> FreeQueue::toVector() const
{
    std::vector<BlockId> order;
    order.reserve(static_cast<std::size_t>(m_size));
    for (BlockId id = front(); id != kNullBlock; id = next(id))
        order.push_back(id);
    return order;
}

} // namespace vitrine
