// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/merge_table.h"

#include <bit>

namespace vitrine {

MergeTable::MergeTable(std::size_t merges)
    // Less than two thirds full.
    : m_slots(std::bit_ceil(merges + merges / 2 + 1))
{
}

std::size_t MergeTable::locate(TokenId left, TokenId right) const
{
    const auto pair =
        std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
    // Multiplicative hashing (Knuth): the high bits are the well mixed ones.
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = (pair * 0x9e3779b97f4a7c15u) >> 32 & mask;
    while (m_slots[slot].left >= 0 && (m_slots[slot].left != left || m_slots[slot].right != right))
        slot = (slot + 1) & mask;
    return slot;
}

void MergeTable::add(TokenId left, TokenId right, Merge merge)
{
    Slot& slot = m_slots[locate(left, right)];
    if (slot.left < 0)
        slot = {left, right, merge};
}

const MergeTable::Merge* MergeTable::find(TokenId left, TokenId right) const
{
    const Slot& slot = m_slots[locate(left, right)];
    return slot.left < 0 ? nullptr : &slot.merge;
}

} // namespace vitrine
