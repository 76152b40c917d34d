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
    static constexpr std::size_t kBlockColumns = 32;
    static constexpr std::size_t kBlockBytes = 20;
    using Codes = Nibbles;
    using Scales = HalfScalesAndMinima;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block);
        out.minimum = loadHalf(block + 2);
        decodeNibbles(block + 4, out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
