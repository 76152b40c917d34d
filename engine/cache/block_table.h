// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstdint>
#include <vector>

namespace vitrine {

/// Names one chain of full blocks by content: equal ids mean equal tokens from position 0 on. 0 is the empty
/// chain. Never reused, so that an entry whose parent was evicted and computed anew is a miss and not a
/// mistake.
using PrefixId = StrongId<struct PrefixTag, std::uint64_t>;

/// The blocks of one sequence, in the order of its tokens (TableShape).
struct BlockTable {
    SequenceId sequence;
    std::uint64_t extraKey = 0; ///< joins the hash: equal tokens share blocks only under equal keys
    /// Entry row * groups + group holds tokens [row·B, (row+1)·B) in that group's layers; null where their
    /// window has passed, or does not reach yet.
    std::vector<BlockId> blocks{};
    std::int32_t grantedTokens = 0; ///< slots that the sequence may write
    std::int32_t writtenTokens = 0; ///< slots that it has written itself, shared ones before them included
    /// What its leading full rows hold, as far as it is published (by this sequence or another).
    std::vector<PrefixId> chain{};
    /// Hashes of its leading full rows, as far as they were needed; they outlive a preemption.
    std::vector<std::uint64_t> hashes{};
};

} // namespace vitrine
