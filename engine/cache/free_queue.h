// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstdint>
#include <vector>

namespace vitrine {

/// The free blocks in the order in which they are taken: a doubly linked list threaded through an array, one
/// link a block, so that a block leaves the middle in O(1) and nothing is ever allocated. The null block,
/// which is never free, is the ring's anchor.
class FreeQueue {
public:
    explicit FreeQueue(std::int32_t numBlocks = 1);

    [[nodiscard]] std::int32_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] bool contains(BlockId id) const { return m_links[id.value].next != kOut; }
    /// The block that is taken next; the null block where there is none.
    [[nodiscard]] BlockId front() const { return BlockId{m_links[0].next}; }
    [[nodiscard]] BlockId back() const { return BlockId{m_links[0].previous}; }
    /// The block taken after `id`; the null block after the last.
    [[nodiscard]] BlockId next(BlockId id) const { return BlockId{m_links[id.value].next}; }
    [[nodiscard]] BlockId previous(BlockId id) const { return BlockId{m_links[id.value].previous}; }

    void pushFront(BlockId id) { insertAfter(kNullBlock, id); }
    void pushBack(BlockId id) { insertAfter(back(), id); }
    void remove(BlockId id);

    [[nodiscard]] std::vector<BlockId> toVector() const;

private:
    static constexpr std::uint32_t kOut = 0xFFFFFFFF; ///< link of a block that is not in the queue
    struct Link {
        std::uint32_t previous = kOut;
        std::uint32_t next = kOut;
    };

    void insertAfter(BlockId place, BlockId id);

    std::vector<Link> m_links; ///< (num_blocks)
    std::int32_t m_size = 0;
};

} // namespace vitrine
