// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/iq4_nl.h"
#include "kernels/format/k_scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// Block of 136 bytes, 256 columns: half scale d; eight 6-bit scales of 32 columns each, their high two bits
/// in 2 bytes (scale p from bit 2p on), their low four in 4 bytes; 128 bytes, 16 for 32 columns as in IQ4_NL.
/// value = d * (scale - 32) * table[code]. (ggml specification)
struct IQ4_XS {
    static constexpr TensorType kType = TensorType::IQ4_XS;
    static constexpr std::size_t kBlockColumns = 256;
    static constexpr std::size_t kBlockBytes = 136;
    using Codes = TableCodes<Iq4Values>;
    using Scales = SmallScales<1>;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t part) noexcept
    {
        const int high = bitsOf(block[2 + part / 4], part % 4 * 2, 2);
        const int low = bitsOf(block[4 + part / 2], part % 2 * 4, 4);
        DecodedBlock out;
        out.scale = loadHalf(block);
        out.scales[0] = out.scales[1] = static_cast<std::int8_t>((high << 4 | low) - 32);
        decodeNibbles(block + 8 + 16 * part, out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
