// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/k_scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 84 bytes, 256 columns: 16 bytes, for 16 columns each, with a scale in the low and a minimum in
/// the high half; 64 bytes of codes; half scale d; half scale of minima dmin.
/// value = d * scale * code - dmin * minimum.
/// The 2-bit codes of 128 columns lie in 32 bytes, 32 columns each in bits 0, 2, 4, 6. (ggml specification)
struct Q2_K {
    static constexpr TensorType kType = TensorType::Q2_K;
    static constexpr std::size_t kBlockColumns = 256;
    static constexpr std::size_t kBlockBytes = 84;
    using Codes = SplitCodes<2, 0, 0>;
    using Scales = NibbleScalesAndMinima;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t part) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block + 80);
        out.minimum = -loadHalf(block + 82);
        for (std::size_t s = 0; s < 2; ++s) {
            out.scales[s] = static_cast<std::int8_t>(bitsOf(block[2 * part + s], 0, 4));
            out.minima[s] = static_cast<std::int8_t>(bitsOf(block[2 * part + s], 4, 4));
        }
        for (std::size_t j = 0; j < kColumns; ++j)
            out.codes[j] = bitsOf(block[16 + part / 4 * 32 + j], part % 4 * 2, 2);
        return out;
    }
};

} // namespace vitrine::kernels::format
