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

void rope(RopeKind kind, std::span<const float> cosines, std::span<const float> sines, std::size_t headDim,
          std::span<float> heads)
{
    const std::size_t pairs = cosines.size();
    assert(sines.size() == pairs && 2 * pairs <= headDim && heads.size() % headDim == 0);
    const std::size_t step = kind == RopeKind::Norm ? 2 : 1;
    const std::size_t distance = kind == RopeKind::Norm ? 1 : pairs;
    for (std::size_t head = 0; head < heads.size(); head += headDim)
        for (std::size_t i = 0; i < pairs; ++i) {
            float& first = heads[head + step * i];
            float& second = heads[head + step * i + distance];
            const float a = first;
            const float b = second;
            first = a * cosines[i] - b * sines[i];
            second = a * sines[i] + b * cosines[i];
        }
}

} // namespace vitrine::kernels
