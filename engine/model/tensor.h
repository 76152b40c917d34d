// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace vitrine {

/// A weight as it lies in the model file: `rows` outputs of `cols` inputs, row after row.
/// Absent (an optional weight that the file lacks) when rows is 0.
struct Tensor {
    std::string name;
    kernels::TensorType type = kernels::TensorType::F32;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::span<const std::byte> data;

    explicit operator bool() const { return rows > 0; }
};

} // namespace vitrine
