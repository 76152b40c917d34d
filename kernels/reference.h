// SPDX-License-Identifier: GPL-3.0-or-later
// A plain scalar version of each operation, in double, as its definition reads: what the fast ones are tested
// against.
#pragma once
#include "kernels/attention.h"
#include "kernels/rope.h"
#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::kernels::reference {

/// weights: (rows, columns) in the file's layout, x: (columns); out: (rows). Activations are not quantised.
void matmulRow(TensorType type, const std::byte* weights, std::size_t rows, std::span<const float> x,
               std::span<double> out);

void rmsNorm(std::span<const float> x, std::span<const float> weight, float epsilon, std::span<double> out);
void siluMul(std::span<const float> gate, std::span<const float> up, std::span<double> out);
void geluMul(std::span<const float> gate, std::span<const float> up, std::span<double> out);
[[nodiscard]] double softCapped(double value, double cap);
void softmax(std::span<const float> values, std::span<double> out);
[[nodiscard]] std::size_t argmax(std::span<const float> values);
void rope(RopeKind kind, std::span<const float> cosines, std::span<const float> sines, std::size_t headDim,
          std::span<const float> heads, std::span<double> out);
/// As kernels::attention; `out` is (rows, heads / kvHeads, headDim) without gaps.
void attention(const AttentionShape& shape, KvMemory memory, const AttentionItem& item,
               std::span<double> out);

} // namespace vitrine::kernels::reference
