// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/dequantize.h"

#include "kernels/format/formats.h"

#include <cassert>

namespace vitrine::kernels {
namespace {

template<class Format>
void dequantizeBlocks(const std::byte* row, std::span<float> out)
{
    constexpr std::size_t kParts = Format::kBlockColumns / format::kColumns;
    for (std::size_t b = 0; b < out.size() / format::kColumns; ++b) {
        const format::DecodedBlock block = Format::decode(row + b / kParts * Format::kBlockBytes, b % kParts);
        for (std::size_t c = 0; c < format::kColumns; ++c) {
            const auto [scale, minimum] = block.of(c / 16);
            const int value = Format::Codes::value(block.codes[c]);
            out[b * format::kColumns + c] = scale * static_cast<float>(value) + minimum;
        }
    }
}

std::uint16_t bitsAt(const std::byte* row, std::size_t index)
{
    std::uint16_t bits;
    std::memcpy(&bits, row + 2 * index, sizeof bits);
    return bits;
}

} // namespace

void dequantizeRow(TensorType type, const std::byte* row, std::span<float> out)
{
    assert(out.size() % tensorTypeInfo(type).blockElements == 0);
    switch (type) {
    case TensorType::F32:
        std::memcpy(out.data(), row, out.size_bytes());
        break;
    case TensorType::F16:
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = halfToFloat(bitsAt(row, i));
        break;
    case TensorType::BF16:
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = bfloatToFloat(bitsAt(row, i));
        break;
    default:
        [[maybe_unused]] const bool known =
            format::withFormat(type, [&](auto format) { dequantizeBlocks<decltype(format)>(row, out); });
        assert(known);
    }
}

} // namespace vitrine::kernels
