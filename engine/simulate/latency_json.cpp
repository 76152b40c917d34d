// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/latency_json.h"

#include <nlohmann/json.hpp>

namespace vitrine {

nlohmann::ordered_json toJson(const LatencyHistogram& times)
{
    constexpr double kMillis = 1000;
    return {{"mean", times.meanSeconds() * kMillis},
            {"p50", times.percentile(50) * kMillis},
            {"p90", times.percentile(90) * kMillis},
            {"p99", times.percentile(99) * kMillis},
            {"max", times.maxSeconds() * kMillis}};
}

} // namespace vitrine
