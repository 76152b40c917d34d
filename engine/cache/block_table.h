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

/// The blocks of one sequence, in the order of its tokens.
struct BlockTable {
    SequenceId sequence;
    std::uint64_t extraKey = 0;     ///< joins the hash: equal tokens share blocks only under equal keys
    std::vector<BlockId> blocks;    ///< entry i holds the tokens [i·B, (i+1)·B)
    std::int32_t grantedTokens = 0; ///< slots that the sequence may write
    std::int32_t chainedBlocks =
        0;           ///< leading full blocks that `prefix` names: published, shared or duplicates
    PrefixId prefix; ///< the chain of these
    std::vector<std::uint64_t>
        hashes; ///< of the leading full blocks, as far as they were needed; outlives a preemption
};

} // namespace vitrine
