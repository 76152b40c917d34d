// SPDX-License-Identifier: GPL-3.0-or-later
// The real Scheduler and BlockPool with nothing behind them: each request's answer has the length that the
// workload says, and a step takes as long as two numbers say.
#pragma once
#include "engine/engine_options.h"
#include "engine/error.h"
#include "engine/schedule/scheduler.h"
#include "engine/schedule/slot_usage.h"
#include "engine/simulate/latency_histogram.h"
#include "engine/simulate/workload.h"

#include <cstdint>
#include <string>

namespace vitrine {

enum class Arrivals {
    Saturated, ///< all wait from the start
    Trace,     ///< each at its time, on a virtual clock
};

struct SimulationOptions {
    SchedulerOptions scheduler; ///< maxModelLen 0: maxTotal, or else the longest request of the workload
    std::int64_t maxTotal = 0;  ///< only requests whose prompt and answer have at most so many tokens; 0: all
    std::size_t limit = 0;      ///< the first so many of these; 0: all
    Arrivals arrivals = Arrivals::Saturated;
    double stepCostMicros = 0;  ///< of a step, and
    double tokenCostMicros = 0; ///< of each token in it. Both 0: no clock, no latencies
};

/// Shares of all slots, averaged over steps; their sum is 1.
struct SlotShares {
    double token = 0;
    double reserved = 0;
    double internal = 0;
    double free = 0;
};

struct SimulationReport {
    std::uint64_t requests = 0; ///< finished
    std::uint64_t refused = 0;  ///< could never run with these options
    std::string firstRefusal;
    SchedulerCounters counters;
    std::uint64_t evictions = 0;
    /// Over the steps during which somebody still waits: what the settings do under load. Over all where
    /// nobody waits.
    std::uint64_t loadedSteps = 0;
    double meanBatch = 0;
    SlotShares shares;
    std::int64_t usableSlots = 0;
    double virtualSeconds = 0; ///< at the end; 0 without a clock
    LatencyHistogram ttft;
    LatencyHistogram itl;
    LatencyHistogram e2e;

    [[nodiscard]] double hitRate() const;
    [[nodiscard]] double recomputeTax() const;
};

/// An error where the options make no sense or the trace needs a clock that is not there.
[[nodiscard]] Result<SimulationReport> simulate(Workload workload, const SimulationOptions& options);

/// Field names as in other serving engines, snake_case; latencies in milliseconds.
[[nodiscard]] std::string toJson(const SimulationReport& report);

} // namespace vitrine
