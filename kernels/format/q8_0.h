// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 34 bytes: half scale d; 32 signed bytes. value = d * code. (ggml specification)
struct Q8_0 {
    static constexpr TensorType kType = TensorType::Q8_0;
    static constexpr std::size_t kBlockColumns = 32;
    static constexpr std::size_t kBlockBytes = 34;
    using Codes = SignedBytes;
    using Scales = HalfScales;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t) noexcept
    {
        DecodedBlock out;
        out.scale = loadHalf(block);
        std::memcpy(out.codes, block + 2, sizeof out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
