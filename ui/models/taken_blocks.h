// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/trace/step_record.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace vitrine::ui {

/// Who got the blocks that a preemption gave back. Fed with the events of each step in their order; a
/// victim's Free events stand before its Preempt event.
class TakenBlocks {
public:
    void beginStep();
    void on(const event::Free& free);
    /// It holds what it held: nothing was taken.
    void on(const event::Share& share) { m_victims.erase(share.block); }
    void on(const event::Preempt& preempt);
    /// The victim whose block this was, where it has not been taken since. Once for each block.
    std::optional<SequenceId> on(const event::Alloc& alloc);
    void clear();

private:
    using Owners = std::unordered_map<BlockId, SequenceId>;
    Owners m_freedInStep;
    std::unordered_map<SequenceId, std::vector<BlockId>> m_freedBy; ///< in this step
    Owners m_victims;                                               ///< at most one entry a block of the pool
};

} // namespace vitrine::ui
