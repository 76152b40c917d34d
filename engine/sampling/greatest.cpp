// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sampling/greatest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vitrine {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// NaN compares false and is passed over. Sixteen running values hide the latency of one, and the compiler
/// keeps them in vector registers.
float greatest(std::span<const float> values)
{
    constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> lanes;
    lanes.fill(kLowest);
    std::size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] = values[i + lane] > lanes[lane] ? values[i + lane] : lanes[lane];
    }
    for (; i < values.size(); ++i)
        lanes[0] = values[i] > lanes[0] ? values[i] : lanes[0];
    return *std::ranges::max_element(lanes);
}

} // namespace

float greatestFinite(std::span<const float> values) noexcept
{
    const float fast = greatest(values);
    if (fast != std::numeric_limits<float>::infinity())
        return fast;
    float finite = kLowest;
    for (float value : values) {
        if (std::isfinite(value))
            finite = std::max(finite, value);
    }
    return finite;
}

} // namespace vitrine
