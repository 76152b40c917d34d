// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/codes.h"
#include "kernels/format/k_scales.h"
#include "kernels/tensor_type.h"

namespace vitrine::kernels::format {

/// The head of a Q4_K and Q5_K block: half scale d, half scale of minima dmin, 12 bytes with eight scales and
/// eight minima of 6 bits. The first four of each are the low bits of bytes 0 … 3 and 4 … 7; the others have
/// their low four in bytes 8 … 11 (scale in the low half, minimum in the high), their high two on top of
/// bytes 0 … 3 and 4 … 7. Subtracted minima: value = d * scale * code - dmin * minimum.
inline void decodeKHead(const std::byte* block, std::size_t part, DecodedBlock& out) noexcept
{
    const std::byte* packed = block + 4;
    unsigned scale = bitsOf(packed[part % 4], 0, 6);
    unsigned minimum = bitsOf(packed[part % 4 + 4], 0, 6);
    if (part >= 4) {
        scale = bitsOf(packed[part + 4], 0, 4) | unsigned{bitsOf(packed[part - 4], 6, 2)} << 4;
        minimum = bitsOf(packed[part + 4], 4, 4) | unsigned{bitsOf(packed[part], 6, 2)} << 4;
    }
    out.scale = loadHalf(block);
    out.minimum = -loadHalf(block + 2);
    out.scales[0] = out.scales[1] = static_cast<std::int8_t>(scale);
    out.minima[0] = out.minima[1] = static_cast<std::int8_t>(minimum);
}

/// The low four bits of 256 codes in 128 bytes: of 64 columns each, the first 32 in the low halves of 32
/// bytes, the others in the high halves.
inline void decodeKNibbles(const std::byte* pairs, std::size_t part, std::uint8_t (&codes)[kColumns]) noexcept
{
    for (std::size_t j = 0; j < kColumns; ++j)
        codes[j] = bitsOf(pairs[part / 2 * 32 + j], part % 2 * 4, 4);
}

/// Block of 144 bytes, 256 columns: head; 128 bytes of codes. (ggml specification)
struct Q4_K {
    static constexpr TensorType kType = TensorType::Q4_K;
    static constexpr std::size_t kBlockColumns = 256;
    static constexpr std::size_t kBlockBytes = 144;
    using Codes = Nibbles;
    using Scales = SmallScalesAndMinima;

    [[nodiscard]] static DecodedBlock decode(const std::byte* block, std::size_t part) noexcept
    {
        DecodedBlock out;
        decodeKHead(block, part, out);
        decodeKNibbles(block + 16, part, out.codes);
        return out;
    }
};

} // namespace vitrine::kernels::format
