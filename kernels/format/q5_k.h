// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/q4_k.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 176 bytes, 256 columns: head as in Q4_K; 32 bytes of fifth bits, that of column 32p + j in bit p
/// of byte j; 128 bytes of the lower four as in Q4_K. (ggml specification)
struct Q5_K {
    static constexpr TensorType kType = TensorType::Q5_K;
    static constexpr std::size_t kBlockColumns = 256;
    static constexpr std::size_t kBlockBytes = 176;
    using Codes = SplitCodes<4, 1, 0>;
    using Scales = SmallScalesAndMinima;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t part) noexcept
    {
        DecodedBlock out;
        decodeKHead(block, part, out);
        decodeKNibbles(block + 48, part, out.codes);
        for (std::size_t j = 0; j < kColumns; ++j)
            out.codes[j] |= static_cast<std::uint8_t>(bitsOf(block[16 + j], part, 1) << 4);
        return out;
    }
};

} // namespace vitrine::kernels::format
