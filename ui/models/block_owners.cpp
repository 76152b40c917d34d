// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/block_owners.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

std::span<const SequenceId> BlockOwners::of(BlockId block) const
{
    const SequenceId& single = m_single[block.value];
    if (single == kSeveral)
        return m_several.find(block)->second;
    return {&single, single == kNone ? 0u : 1u};
}

bool BlockOwners::add(BlockId block, SequenceId sequence)
{
    if (sequence == kNone || sequence == kSeveral)
        return false;
    SequenceId& single = m_single[block.value];
    if (single == kNone) {
        single = sequence;
        return true;
    }
    std::vector<SequenceId>& several = m_several[block];
    if (single != kSeveral)
        several.push_back(std::exchange(single, kSeveral));
    several.insert(std::ranges::upper_bound(several, sequence), sequence);
    return true;
}

bool BlockOwners::remove(BlockId block, SequenceId sequence)
{
    SequenceId& single = m_single[block.value];
    if (single != kSeveral) {
        if (single != sequence || single == kNone)
            return false;
        single = kNone;
        return true;
    }
    std::vector<SequenceId>& several = m_several.find(block)->second;
    const auto found = std::ranges::lower_bound(several, sequence);
    if (found == several.end() || *found != sequence)
        return false;
    several.erase(found);
    if (several.size() == 1) {
        single = several.front();
        m_several.erase(block);
    }
    return true;
}

} // namespace vitrine::ui
