// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/k_scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 210 bytes, 256 columns: 128 bytes with the low four bits of the codes, 64 with the high two, 16
/// signed bytes with the scales of 16 columns each, half scale d. value = d * scale * (code - 32).
/// Of 128 columns, 32 each: the low bits lie in the low halves of bytes 0 … 31, of 32 … 63, in the high
/// halves of 0 … 31, of 32 … 63; the high bits in bits 0, 2, 4, 6 of 32 bytes. (ggml specification)
struct Q6_K {
    static constexpr TensorType kType = TensorType::Q6_K;
    static constexpr std::size_t kBlockColumns = 256;
    static constexpr std::size_t kBlockBytes = 210;
    using Codes = SplitCodes<4, 2, 32>;
    using Scales = SmallScales<2>;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t part) noexcept
    {
        const std::byte* low = block + part / 4 * 64 + part % 2 * 32;
        const std::byte* high = block + 128 + part / 4 * 32;
        const std::size_t quarter = part % 4;
        DecodedBlock out;
        out.scale = loadHalf(block + 208);
        std::memcpy(out.scales, block + 192 + 2 * part, sizeof out.scales);
        for (std::size_t j = 0; j < kColumns; ++j)
            out.codes[j] = static_cast<std::uint8_t>(bitsOf(low[j], quarter / 2 * 4, 4) |
                                                     bitsOf(high[j], quarter * 2, 2) << 4);
        return out;
    }
};

} // namespace vitrine::kernels::format
