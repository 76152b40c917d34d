// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/simulator.h"

#include <nlohmann/json.hpp>

namespace vitrine {

namespace {

using nlohmann::ordered_json;

ordered_json percentiles(const LatencyHistogram& times)
{
    constexpr double kMillis = 1000;
    return {{"mean", times.meanSeconds() * kMillis},
            {"p50", times.percentile(50) * kMillis},
            {"p90", times.percentile(90) * kMillis},
            {"p99", times.percentile(99) * kMillis}};
}

} // namespace

std::string toJson(const SimulationReport& report)
{
    const SchedulerCounters& counters = report.counters;
    ordered_json json{
        {"requests", report.requests},
        {"refused", report.refused},
        {"steps", counters.steps},
        {"loaded_steps", report.loadedSteps},
        {"mean_batch", report.meanBatch},
        {"preemptions", counters.preemptions},
        {"slots", report.slots},
        {"shares",
         {{"token", report.shares.token},
          {"reserved", report.shares.reserved},
          {"internal", report.shares.internal},
          {"free", report.shares.free}}},
        {"hit_rate", report.hitRate()},
        {"recompute_tax", report.recomputeTax()},
        {"computed_tokens", counters.computedTokens},
        {"generated_tokens", counters.generatedTokens},
        {"padding_rows", counters.paddingSteps},
        {"evictions", report.evictions},
    };
    if (report.refused > 0)
        json["first_refusal"] = report.firstRefusal;
    if (report.virtualSeconds > 0) {
        json["virtual_s"] = report.virtualSeconds;
        json["ttft_ms"] = percentiles(report.ttft);
        json["itl_ms"] = percentiles(report.itl);
        json["e2e_ms"] = percentiles(report.e2e);
    }
    return json.dump(2);
}

} // namespace vitrine
