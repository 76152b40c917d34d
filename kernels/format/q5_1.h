// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/q5_0.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 24 bytes: half scale d, half minimum m; codes as in Q5_0. value = d * code + m.
/// (ggml specification)
struct Q5_1 {
    static constexpr TensorType kType = TensorType::Q5_1;
    static constexpr std::size_t kBlockColumns = 32;
    static constexpr std::size_t kBlockBytes = 24;
    using Codes = SplitCodes<4, 1, 0>;
    using Scales = HalfScalesAndMinima;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block);
        out.minimum = loadHalf(block + 2);
        decodeNibbles(block + 8, out.codes);
        decodeFifthBits(block + 4, out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
