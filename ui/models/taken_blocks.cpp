// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/taken_blocks.h"

namespace vitrine::ui {

void TakenBlocks::on(const event::Free& free)
{
    m_freedInStep[free.block] = free.sequence;
    m_victims.erase(free.block); // somebody else's by now
}

void TakenBlocks::on(const event::Preempt& preempt)
{
    for (const auto& [block, sequence] : m_freedInStep)
        if (sequence == preempt.sequence)
            m_victims[block] = sequence;
}

std::optional<SequenceId> TakenBlocks::on(const event::Alloc& alloc)
{
    m_freedInStep.erase(alloc.block);
    const auto found = m_victims.find(alloc.block);
    if (found == m_victims.end())
        return std::nullopt;
    const SequenceId victim = found->second;
    m_victims.erase(found);
    return victim == alloc.sequence ? std::nullopt : std::optional(victim);
}

void TakenBlocks::clear()
{
    m_freedInStep.clear();
    m_victims.clear();
}

} // namespace vitrine::ui
