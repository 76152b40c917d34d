// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rope.h"

#include <cassert>
#include <cmath>

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
