// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor types of GGUF files, with the numbers the files use (ggml specification).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vitrine::kernels {

enum class TensorType : std::uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    IQ4_NL = 20,
    IQ4_XS = 23,
    BF16 = 30,
    MXFP4 = 39,
};

struct TensorTypeInfo {
    TensorType type;
    std::string_view name;
    std::uint32_t blockElements; ///< elements in one block; rows are whole blocks
    std::uint32_t blockBytes;
    bool computable; ///< PackedMatrix and dequantizeRow know it
};

/// nullptr for a number that is no known type.
[[nodiscard]] const TensorTypeInfo* tensorTypeInfo(std::uint32_t ggmlType) noexcept;
[[nodiscard]] const TensorTypeInfo& tensorTypeInfo(TensorType type) noexcept;

/// Bytes of a row of `elements`; precondition: a multiple of blockElements.
[[nodiscard]] std::size_t rowBytes(TensorType type, std::size_t elements) noexcept;

} // namespace vitrine::kernels
