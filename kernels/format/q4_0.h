// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 18 bytes: half scale d; 16 bytes, column j in the low half of byte j, j + 16 in the high half.
/// value = d * (code - 8). (ggml specification)
struct Q4_0 {
    static constexpr TensorType kType = TensorType::Q4_0;
    static constexpr std::size_t kBlockBytes = 18;
    using Codes = Nibbles;
    using Scales = HalfScales<8>;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block);
        out.minimum = -8 * out.scale;
        for (std::size_t j = 0; j < 16; ++j) {
            const auto pair = std::to_integer<std::uint8_t>(block[2 + j]);
            out.codes[j] = static_cast<std::int8_t>(pair & 15);
            out.codes[j + 16] = static_cast<std::int8_t>(pair >> 4);
        }
        return out;
    }
};

} // namespace vitrine::kernels::format
