// SPDX-License-Identifier: GPL-3.0-or-later
//
// Storage-only 16-bit floats for the host build. They have no arithmetic on purpose: kernels
// convert to float, compute, and convert back.
#pragma once

#include <bit>
#include <cstdint>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
struct __half {
    std::uint16_t bits;
};

struct __nv_bfloat16 {
    std::uint16_t bits;
};

inline float __half2float(__half h)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(h.bits & 0x8000u) << 16;
    const std::uint32_t exponent = (h.bits >> 10) & 0x1fu;
    const std::uint32_t fraction = h.bits & 0x3ffu;
    if (exponent == 0x1f) // infinity or NaN
        return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent == 0) { // zero or subnormal: fraction * 2^-24 is exact in float
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

// Rounds to nearest, ties to even, as the device does.
inline __half __float2half(float value)
{
    const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((word >> 16) & 0x8000u);
    const std::uint32_t magnitude = word & 0x7fffffffu;
    const auto make = [sign](std::uint32_t bits) { return __half{static_cast<std::uint16_t>(sign | bits)}; };
    if (magnitude > 0x7f800000u)
        return make(0x7fffu); // NaN
    if (magnitude >= 0x477ff000u)
        return make(0x7c00u);      // rounds past 65504
    if (magnitude < 0x38800000u) { // below 2^-14: subnormal
        // Adding 0.5 leaves 2^-24 as the float's last place, so the FPU does the rounding.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return make(std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5f));
    }
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    return make((magnitude - 0x38000000u + 0xfffu + odd) >> 13);
}

inline float __bfloat162float(__nv_bfloat16 b)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(b.bits) << 16);
}

inline __nv_bfloat16 __float2bfloat16(float value)
{
    const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
    if ((word & 0x7fffffffu) > 0x7f800000u)
        return {0x7fffu};
    const std::uint32_t odd = (word >> 16) & 1u;
    return {static_cast<std::uint16_t>((word + 0x7fffu + odd) >> 16)};
}
// NOLINTEND(bugprone-reserved-identifier)
