// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rope.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace vitrine::kernels {

void ropeFrequencies(double base, std::span<const float> factors, std::span<double> frequencies)
{
    assert(factors.empty() || factors.size() == frequencies.size());
    const double pairs = static_cast<double>(frequencies.size());
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double factor = factors.empty() ? 1.0 : factors[i];
        frequencies[i] = std::pow(base, -static_cast<double>(i) / pairs) / factor;
    }
}

void scaleFrequenciesByParts(double base, double factor, const YarnRamp& ramp, std::span<double> frequencies)
{
    const double pairs = static_cast<double>(frequencies.size());
    // base^(-i / pairs) * context = 2 pi * rotations, solved for i
    const auto pairThatTurns = [&](double rotations) {
        return pairs * std::log(ramp.originalContext / (2 * std::numbers::pi * rotations)) / std::log(base);
    };
    const double first = std::max(0.0, std::floor(pairThatTurns(ramp.fastRotations)));
    const double last = std::min(2 * pairs - 1, std::ceil(pairThatTurns(ramp.slowRotations)));
    const double length = std::max(0.001, last - first); // as in the paper's code: never 0
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double scaled = std::clamp((static_cast<double>(i) - first) / length, 0.0, 1.0);
        frequencies[i] *= 1 - scaled + scaled / factor;
    }
}

void ropeAngles(std::int32_t position, std::span<const double> frequencies, float magnitude,
                std::span<float> cosines, std::span<float> sines)
{
    assert(cosines.size() == frequencies.size() && sines.size() == frequencies.size());
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double angle = position * frequencies[i];
        cosines[i] = static_cast<float>(std::cos(angle) * magnitude);
        sines[i] = static_cast<float>(std::sin(angle) * magnitude);
    }
}

} // namespace vitrine::kernels
