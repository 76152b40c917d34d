// SPDX-License-Identifier: GPL-3.0-or-later
// What every quantised type is made of; see ../README.md, "Adding a type".
#pragma once
#include "kernels/half.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

/// Put before a function that uses an instruction set; each matmul_*.cpp defines it as its target attribute
/// before it includes the formats. Elsewhere such functions are never instantiated.
#ifndef VITRINE_SIMD
#define VITRINE_SIMD
#endif

namespace vitrine::kernels::format {

/// 32 columns of one row as the file holds them: value = scale * code + minimum.
struct DecodedBlock {
    std::int8_t codes[32];
    float scale = 0;
    float minimum = 0;
};

/// Rows that are packed side by side, and the columns of a packed block.
inline constexpr std::size_t kRows = 16;
inline constexpr std::size_t kColumns = 32;

[[nodiscard]] inline float loadHalf(const std::byte* at) noexcept
{
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return halfToFloat(bits);
}

/// Place of a code among the vectors of a packed block: each vector has 4 consecutive columns of 16 rows, a
/// row's 4 in one 32-bit lane, as the dot product instructions want them.
[[nodiscard]] constexpr std::size_t lanePlace(std::size_t row, std::size_t column) noexcept
{
    return column / 4 * (4 * kRows) + row * 4 + column % 4;
}

} // namespace vitrine::kernels::format
