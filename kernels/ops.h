// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on one row. A row's bits depend on its own values only; callers share rows among threads.
// Unless said otherwise all spans of a call have the same size, and `out` may be one of the inputs.
#pragma once
#include <cstddef>
#include <span>

namespace vitrine::kernels {

/// out = x / sqrt(mean(x^2) + epsilon) * weight (arXiv:1910.07467)
void rmsNorm(std::span<const float> x, std::span<const float> weight, float epsilon, std::span<float> out);

/// residual += delta; out = rmsNorm(residual). `out` is not `residual`.
void addRmsNorm(std::span<float> residual, std::span<const float> delta, std::span<const float> weight,
                float epsilon, std::span<float> out);

/// into += x
void add(std::span<const float> x, std::span<float> into);

/// values *= factor
void scale(float factor, std::span<float> values);

/// out = silu(gate) * up, silu(x) = x / (1 + exp(-x)): the gated unit of SwiGLU (arXiv:2002.05202)
void siluMul(std::span<const float> gate, std::span<const float> up, std::span<float> out);

/// out = gelu(gate) * up, gelu(x) = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))): GeGLU
/// (arXiv:2002.05202) with the approximation by tanh (arXiv:1606.08415)
void geluMul(std::span<const float> gate, std::span<const float> up, std::span<float> out);

/// values = cap * tanh(values / cap): as good as the same near 0, never beyond the cap (arXiv:2408.00118)
void softCap(float cap, std::span<float> values);

/// values = exp(values - max) / sum of these
void softmax(std::span<float> values);

/// Index of the greatest value, the first one among equals; NaN is never greatest. Precondition: not empty.
[[nodiscard]] std::size_t argmax(std::span<const float> values);

} // namespace vitrine::kernels
