// SPDX-License-Identifier: GPL-3.0-or-later
// 16-bit floats as bit patterns: IEEE 754 binary16 (F16) and the upper half of a binary32 (BF16).
#pragma once
#include <bit>
#include <cstdint>

namespace vitrine::kernels {

/// Exact, denormals, infinities and NaN included.
[[nodiscard]] constexpr float halfToFloat(std::uint16_t half) noexcept
{
    const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1FU;
    const std::uint32_t fraction = half & 0x3FFU;
    if (exponent == 0) // zero or denormal: fraction * 2^-24
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F) |
                                    sign);
    const std::uint32_t wide = exponent == 31 ? 255 : exponent + 127 - 15;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// Rounds to nearest, ties to even; overflow becomes infinity, NaN stays (quiet) NaN.
[[nodiscard]] constexpr std::uint16_t floatToHalf(float value) noexcept
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFF'FFFFU;
    if (magnitude > 0x7F80'0000U)
        return static_cast<std::uint16_t>(sign | 0x7E00U | (magnitude >> 13 & 0x1FFU));
    if (magnitude >= 0x477F'F000U) // 65520, half-way from the greatest half to 2^16
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    if (magnitude <
        0x3880'0000U) { // below 2^-14: adding 0.5 leaves the denormal's fraction, rounded, in the low bits
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3F00'0000U));
    }
    const std::uint32_t rounded = magnitude + 0xFFFU + (magnitude >> 13 & 1U);
    return static_cast<std::uint16_t>(sign | (rounded - ((127U - 15U) << 23)) >> 13);
}

[[nodiscard]] constexpr float bfloatToFloat(std::uint16_t bfloat) noexcept
{
    return std::bit_cast<float>(std::uint32_t{bfloat} << 16);
}

/// Rounds to nearest, ties to even; NaN stays (quiet) NaN.
[[nodiscard]] constexpr std::uint16_t floatToBfloat(float value) noexcept
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFF'FFFFU) > 0x7F80'0000U)
        return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

} // namespace vitrine::kernels
