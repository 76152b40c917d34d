// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 20 bytes: half scale d, half minimum m; 16 bytes of codes as in Q4_0. value = d * code + m.
/// (ggml specification)
struct Q4_1 {
    static constexpr TensorType kType = TensorType::Q4_1;
    static constexpr std::size_t kBlockBytes = 20;
    using Codes = Nibbles;
    using Scales = HalfScalesAndMinima;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block);
        out.minimum = loadHalf(block + 2);
        for (std::size_t j = 0; j < 16; ++j) {
            const auto pair = std::to_integer<std::uint8_t>(block[4 + j]);
            out.codes[j] = static_cast<std::int8_t>(pair & 15);
            out.codes[j + 16] = static_cast<std::int8_t>(pair >> 4);
        }
        return out;
    }
};

} // namespace vitrine::kernels::format
