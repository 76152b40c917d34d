// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/batch.h"
#include "engine/schedule/step_plan.h"

namespace vitrine {

/// The plan's members as rows, in the plan's order. `batch` is overwritten; its memory is reused.
void buildBatch(const StepPlan& plan, std::int32_t blockSize, Batch& batch);

} // namespace vitrine
