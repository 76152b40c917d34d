// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary position embedding (arXiv:2104.09864).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::kernels {

enum class RopeKind {
    Norm, ///< rotates the pairs (0, 1), (2, 3), …
    NeoX, ///< rotates the pairs (0, r/2), (1, r/2 + 1), …
};

/// frequencies[i] = base^(-2i/r) / factors[i], with r = 2 * frequencies.size() rotated dimensions.
/// `factors` is the tensor rope_freqs, or empty. A linear scaling by s multiplies the positions' step: divide
/// the frequencies by s.
void ropeFrequencies(double base, std::span<const float> factors, std::span<double> frequencies);

/// YaRN's interpolation by parts (arXiv:2309.00071, section 3.2): pairs that turn more than `fastRotations`
/// times within the original context keep their frequency, those that turn less than `slowRotations` times
/// are divided by `factor`, between them lies a ramp.
struct YarnRamp {
    double originalContext = 0;
    double fastRotations = 32;
    double slowRotations = 1;
};
void scaleFrequenciesByParts(double base, double factor, const YarnRamp& ramp, std::span<double> frequencies);

/// cosines[i], sines[i] of position * frequencies[i], times `magnitude` (1 unless the model scales attention
/// so).
void ropeAngles(std::int32_t position, std::span<const double> frequencies, float magnitude,
                std::span<float> cosines, std::span<float> sines);

/// Rotates the first 2 * cosines.size() dimensions of each head of one token in place; the others stay.
/// heads: (number of heads, headDim), one after the other.
void rope(RopeKind kind, std::span<const float> cosines, std::span<const float> sines, std::size_t headDim,
          std::span<float> heads);

} // namespace vitrine::kernels
