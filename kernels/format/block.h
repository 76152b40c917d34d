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

/// Rows that are packed side by side, and the columns of a packed block.
inline constexpr std::size_t kRows = 16;
inline constexpr std::size_t kColumns = 32;

struct ScaleAndMinimum {
    float scale;
    float minimum;
};

/// 32 columns of one row as the file holds them. With Codes::value() of the format, the value of column c is
///     (scale * scales[c / 16]) * value(codes[c]) + minimum * minima[c / 16];
/// types without small scales leave them at 1.
struct DecodedBlock {
    std::uint8_t codes[kColumns] = {};
    float scale = 0;
    float minimum = 0;
    std::int8_t scales[2] = {1, 1};
    std::int8_t minima[2] = {1, 1};

    /// What holds for columns 16 * half … 16 * half + 15. Exact: a half has 11 bits, a small scale 8.
    [[nodiscard]] ScaleAndMinimum of(std::size_t half) const noexcept
    {
        return {scale * scales[half], minimum * minima[half]};
    }
};

[[nodiscard]] inline float loadHalf(const void* at) noexcept
{
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return halfToFloat(bits);
}

inline void storeHalf(std::uint8_t* at, float value) noexcept
{
    const std::uint16_t bits = floatToHalf(value);
    std::memcpy(at, &bits, sizeof bits);
}

/// Bits first … first + count - 1 of a byte.
[[nodiscard]] constexpr std::uint8_t bitsOf(std::byte byte, std::size_t first, std::size_t count) noexcept
{
    return static_cast<std::uint8_t>(std::to_integer<unsigned>(byte) >> first & ((1U << count) - 1));
}

/// The 4-bit codes of 32 columns in 16 bytes: column j in the low half of byte j, j + 16 in the high half.
inline void decodeNibbles(const std::byte* pairs, std::uint8_t (&codes)[kColumns]) noexcept
{
    for (std::size_t j = 0; j < 16; ++j) {
        codes[j] = bitsOf(pairs[j], 0, 4);
        codes[j + 16] = bitsOf(pairs[j], 4, 4);
    }
}

} // namespace vitrine::kernels::format
