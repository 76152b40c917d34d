// SPDX-License-Identifier: GPL-3.0-or-later
// What the scheduler decided for one step, and what the step brought.
#pragma once
#include "engine/ids.h"
#include "engine/schedule/sequence.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vitrine {

/// Tokens [firstToken, firstToken + tokenCount) of a sequence are computed; their slots are in its table.
struct PlannedMember {
    const Sequence* sequence; ///< valid until the next plan, and as long as takeEnded()'s answer is kept
    MemberKind kind;
    std::int32_t firstToken;
    std::int32_t tokenCount;
    bool samplesNext; ///< reaches its newest token: the logits of its last row are wanted
};

/// Slots [0, slotCount) of `source` are copied to `target` in every layer, before the step writes anything.
struct BlockCopy {
    BlockId source;
    BlockId target;
    std::int32_t slotCount;
    SequenceId sequence;   ///< whose table holds the target; until commit it holds the source too
    std::int32_t position; ///< of both in the table
};

struct StepPlan {
    std::vector<PlannedMember> members; ///< decodes first
    std::vector<BlockCopy> copies;
    std::vector<BlockId>
        freshBlocks;              ///< content meaningless: debug builds fill them with NaN before all else
    std::int32_t tokenCount = 0;  ///< of all members
    std::int32_t paddingRows = 0; ///< static batching: rows of members that have ended
    [[nodiscard]] bool empty() const { return members.empty(); }
};

/// One for each member with samplesNext, in the plan's order.
struct Outcome {
    SequenceId sequence;
    TokenId token;
    std::optional<EndReason> end; ///< Stop, or Error (no token then). Length is the scheduler's
};

} // namespace vitrine
