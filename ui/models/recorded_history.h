// SPDX-License-Identifier: GPL-3.0-or-later
// What the views keep, made from a recording instead of from an engine that runs. Plain values: made on any
// thread.
#pragma once
#include "engine/report.h"
#include "engine/trace/recording.h"
#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"

#include <cstddef>
#include <functional>

namespace vitrine::ui {

struct RecordedHistory {
    ModelInfo model{};
    Recording recording{};          ///< all parts of the file
    PoolMirror lastPool{};          ///< after the last step of the part that is shown
    BatchHistory batches{};         ///< of that part
    MetricsHistory metrics{};       ///< of that part
    std::uint64_t droppedSteps = 0; ///< in its gaps
};

/// Told how many records have been replayed since the last call; false: stop.
using ReplayProgress = std::function<bool(std::uint64_t steps)>;

/// Replays the part with this generation. Each step must lead to its checksum, and each snapshot be what the
/// steps before it lead to: what contradicts itself is refused with the step's number. So is what `progress`
/// stops.
[[nodiscard]] Result<RecordedHistory> replay(const Recording& recording, std::uint32_t generation,
                                             const ReplayProgress& progress);

/// Told of each step and of the pool after it.
using StepVisitor = std::function<void(const StepRecord&, const PoolMirror&)>;

/// As replay(), but keeps nothing.
[[nodiscard]] Result<void> check(const RecordingPart& part, const ReplayProgress& progress,
                                 const StepVisitor& each = {});

/// Told of each step, of the pool after it and of the part's number, from 1; parts without steps have none.
using PartStepVisitor = std::function<void(int part, const StepRecord&, const PoolMirror&)>;

/// check() of all parts. `progress` is told how much is done, 0 to 1; where it is false that is the end, with
/// stoppedError().
[[nodiscard]] Result<void> checkAll(const Recording& recording, const std::function<bool(double)>& progress,
                                    const PartStepVisitor& each = {});

} // namespace vitrine::ui
