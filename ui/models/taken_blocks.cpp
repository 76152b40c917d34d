// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/taken_blocks.h"

namespace vitrine::ui {

void TakenBlocks::beginStep()
{
    m_freedInStep.clear();
    m_freedBy.clear();
}

void TakenBlocks::on(const event::Free& free)
{
    m_freedInStep[free.block] = free.sequence;
    m_freedBy[free.sequence].push_back(free.block);
    m_victims.erase(free.block); // somebody else's by now
}

void TakenBlocks::on(const event::Preempt& preempt)
{
    const auto freed = m_freedBy.extract(preempt.sequence);
    if (freed.empty())
        return;
    for (const BlockId block : freed.mapped())
        if (const auto last = m_freedInStep.find(block);
            last != m_freedInStep.end() && last->second == preempt.sequence)
            m_victims[block] = preempt.sequence;
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
    beginStep();
    m_victims.clear();
}

} // namespace vitrine::ui
