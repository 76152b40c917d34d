// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduler's promises, checked from the outside. Their numbers are those of docs/engine.md.
#pragma once
#include "engine/schedule/scheduler.h"

#include <string>
#include <vector>

namespace vitrine {

/// Broken invariants, one line each; empty where all hold. Callable between two steps and between plan() and
/// commit(), where those about the plan are checked too. O(num_blocks + tokens in flight): debug builds and
/// tests.
[[nodiscard]] std::vector<std::string> checkInvariants(const Scheduler& scheduler);

} // namespace vitrine
