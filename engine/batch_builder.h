// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/batch.h"
#include "engine/cache/table_shape.h"
#include "engine/schedule/step_plan.h"

#include <span>
#include <vector>

namespace vitrine {

/// The plan's members as rows, in the plan's order. `batch` is overwritten; its memory is reused.
void buildBatch(const StepPlan& plan, const TableShape& shape, Batch& batch);

/// Tokens [begin, end) of one sequence as rows after those there are; their logits are not asked for.
void appendToBatch(std::span<const TokenId> tokens, std::span<const BlockId> blockTable, std::int32_t begin,
                   std::int32_t end, const TableShape& shape, Batch& batch);

/// The table of a sequence of `tokens` tokens that has the pool to itself and gets `most` tokens long at
/// most: each group has its blocks side by side, and a window uses them in turn.
[[nodiscard]] std::vector<BlockId> onlyTable(const TableShape& shape, std::int32_t tokens, std::int32_t most);

} // namespace vitrine
