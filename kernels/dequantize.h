// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/tensor_type.h"

#include <cstddef>
#include <span>

namespace vitrine::kernels {

/// The values of one row as a GGUF file holds it. `row` has rowBytes(type, out.size()) bytes, of any
/// alignment. Preconditions: the type is computable, out.size() a multiple of its block.
void dequantizeRow(TensorType type, const std::byte* row, std::span<float> out);

} // namespace vitrine::kernels
