// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/packed_matrix.h"
#include "kernels/quantize_activations.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace vitrine::kernels {

/// The M rows that are multiplied. Row j of `values` starts at values + j * stride, its length is the
/// weights' columns. Quantised weights read `quantized` (the same M rows) instead and ignore `values`.
struct Activations {
    const float* values = nullptr;
    std::size_t stride = 0;
    std::size_t rows = 0;
    const QuantizedActivations* quantized = nullptr;
};

/// Whether matmul with weights of this type reads Activations::quantized.
[[nodiscard]] bool usesQuantizedActivations(TensorType type) noexcept;

/// out[j * outStride + r] = sum over c of weights(r, c) * activations(j, c), for each row j and each r of
/// `weightRows`; nothing else of `out` is touched. weightRows.begin is a multiple of 16, weightRows.end too
/// or equal to weights.rows(). Threads share the weight rows. A value's bits depend neither on the range nor
/// on M. Several matrices with one input: call once for each.
void matmul(const PackedMatrix& weights, const Activations& activations, RowRange weightRows, float* out,
            std::size_t outStride);

/// The same, added to what `out` holds: the product with the residual in one pass.
void matmulAdd(const PackedMatrix& weights, const Activations& activations, RowRange weightRows, float* out,
               std::size_t outStride);

/// One implementation of the integer products.
struct MatmulBackend;
[[nodiscard]] std::string_view matmulBackendName(const MatmulBackend& backend) noexcept;

/// Those that this machine can run, the one in use first. The last is plain C++ and always there.
[[nodiscard]] std::span<const MatmulBackend* const> matmulBackends() noexcept;

/// For tests: every later product of the process uses `backend`; nullptr: back to the machine's best.
void useMatmulBackendForTest(const MatmulBackend* backend) noexcept;

} // namespace vitrine::kernels
