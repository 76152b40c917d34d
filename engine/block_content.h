// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/report.h"
#include "engine/schedule/scheduler.h"

namespace vitrine {

/// Fills in whose tokens `content.block` holds between two steps, and which: from a sequence that runs, or
/// from the prefix cache. O(blocks of the running sequences).
void describeBlock(const Scheduler& scheduler, BlockText& content);

} // namespace vitrine
