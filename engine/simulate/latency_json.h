// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/simulate/latency_histogram.h"

#include <nlohmann/json_fwd.hpp>

namespace vitrine {

/// Mean, percentiles and the longest, in milliseconds.
[[nodiscard]] nlohmann::ordered_json toJson(const LatencyHistogram& times);

} // namespace vitrine
