// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/latency_json.h"
#include "engine/simulate/simulator.h"

#include <nlohmann/json.hpp>

namespace vitrine {

using nlohmann::ordered_json;

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
        {"slots", report.usableSlots},
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
        json["ttft_ms"] = toJson(report.ttft);
        json["itl_ms"] = toJson(report.itl);
        json["e2e_ms"] = toJson(report.e2e);
    }
    return json.dump(2);
}

} // namespace vitrine
