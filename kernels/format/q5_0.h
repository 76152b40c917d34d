// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// The fifth bits of 32 columns in 4 bytes: column j in bit j % 8 of byte j / 8.
inline void decodeFifthBits(const std::byte* bits, std::uint8_t (&codes)[kColumns]) noexcept
{
    for (std::size_t j = 0; j < kColumns; ++j)
        codes[j] |= static_cast<std::uint8_t>(bitsOf(bits[j / 8], j % 8, 1) << 4);
}

/// Block of 22 bytes: half scale d; 4 bytes of fifth bits; 16 bytes of the lower four as in Q4_0.
/// value = d * (code - 16). (ggml specification)
struct Q5_0 {
    static constexpr TensorType kType = TensorType::Q5_0;
    static constexpr std::size_t kBlockColumns = 32;
    static constexpr std::size_t kBlockBytes = 22;
    using Codes = SplitCodes<4, 1, 16>;
    using Scales = HalfScales;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block);
        decodeNibbles(block + 6, out.codes);
        decodeFifthBits(block + 2, out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
