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
    static constexpr std::size_t kBlockColumns = 32;
    static constexpr std::size_t kBlockBytes = 18;
    using Codes = SplitCodes<4, 0, 8>;
    using Scales = HalfScales;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block);
        decodeNibbles(block + 2, out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
