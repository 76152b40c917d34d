// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/k_scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 110 bytes, 256 columns: 32 bytes of third bits, that of column 32p + j in bit p of byte j; 64
/// bytes with the lower two bits as in Q2_K; 12 bytes with the 6-bit scales of 16 columns each; half scale d.
/// value = d * (scale - 32) * (code - 4). (ggml specification)
struct Q3_K {
    static constexpr TensorType kType = TensorType::Q3_K;
    static constexpr std::size_t kBlockColumns = 256;
    static constexpr std::size_t kBlockBytes = 110;
    using Codes = SplitCodes<2, 1, 4>;
    using Scales = SmallScales<2>;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t part) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block + 108);
        for (std::size_t s = 0; s < 2; ++s)
            out.scales[s] = static_cast<std::int8_t>(decodeScale(block + 96, 2 * part + s) - 32);
        for (std::size_t j = 0; j < kColumns; ++j)
            out.codes[j] = static_cast<std::uint8_t>(bitsOf(block[32 + part / 4 * 32 + j], part % 4 * 2, 2) |
                                                     bitsOf(block[j], part, 1) << 2);
        return out;
    }

private:
    /// The low four bits of scales 0 … 7 and 8 … 15 are the low and high halves of bytes 0 … 7; the high two
    /// of scale i are in byte 8 + i % 4 from bit i / 4 * 2 on.
    static int decodeScale(const std::byte* packed, std::size_t i) noexcept
    {
        return bitsOf(packed[i % 8], i / 8 * 4, 4) | bitsOf(packed[8 + i % 4], i / 4 * 2, 2) << 4;
    }
};

} // namespace vitrine::kernels::format
