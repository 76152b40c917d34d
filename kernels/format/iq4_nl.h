// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// The 16 values of IQ4_NL and IQ4_XS, finer around zero. (ggml specification)
struct Iq4Values {
    static constexpr std::int8_t kValues[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                1,    13,   25,  38,  53,  69,  89,  113};
    static constexpr int kOffset = 128;
    static constexpr int kGreatest = 113;
};

/// Block of 18 bytes: half scale d; 16 bytes of codes as in Q4_0. value = d * table[code].
/// (ggml specification)
struct IQ4_NL {
    static constexpr TensorType kType = TensorType::IQ4_NL;
    static constexpr std::size_t kBlockColumns = 32;
    static constexpr std::size_t kBlockBytes = 18;
    using Codes = TableCodes<Iq4Values>;
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
