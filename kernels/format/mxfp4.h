// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Twice the 16 values of E2M1, so that they are integers. (OCP Microscaling Formats 1.0)
struct Mxfp4Values {
    static constexpr std::int8_t kValues[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    static constexpr int kOffset = 12;
    static constexpr int kGreatest = 12;
};

/// Block of 17 bytes: exponent e; 16 bytes of codes as in Q4_0. value = 2^(e - 128) * table[code].
/// (ggml specification)
struct MXFP4 {
    static constexpr TensorType kType = TensorType::MXFP4;
    static constexpr std::size_t kBlockColumns = 32;
    static constexpr std::size_t kBlockBytes = 17;
    using Codes = TableCodes<Mxfp4Values>;
    using Scales = ExponentScales;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t) noexcept
    {
        DecodedBlock out;
        out.scale = ExponentScales::scaleOf(std::to_integer<std::uint8_t>(block[0]));
        decodeNibbles(block + 1, out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
