// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/packed_matrix.h"

#include "kernels/packed_group.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vitrine::kernels {
namespace {

std::size_t groupBytesFor(TensorType type, std::size_t columns)
{
    std::size_t bytes = rowBytes(type, columns) * PackedMatrix::kGroupRows;
    format::withFormat(type, [&](auto format) { bytes = PackedGroup<decltype(format)>::bytes(columns); });
    constexpr std::size_t kLine = AlignedBuffer::kAlignment;
    return (bytes + kLine - 1) / kLine * kLine;
}

/// Quantised: block by block, row by row.
template<class Format>
void packQuantizedRow(std::byte* group, std::size_t rowInGroup, std::size_t columns, const std::byte* source)
{
    PackedGroup<Format> packed(group);
    for (std::size_t b = 0; b < columns / format::kColumns; ++b) {
        constexpr std::size_t kParts = PackedGroup<Format>::kParts;
        const format::DecodedBlock block =
            Format::decode(source + b / kParts * Format::kBlockBytes, b % kParts);
        for (std::size_t c = 0; c < format::kColumns; ++c)
            Format::Codes::put(packed.codes(b), rowInGroup, c, block.codes[c]);
        Format::Scales::put(packed.scales(b), rowInGroup, block);
    }
}

/// F32, F16, BF16: the elements as they are, [column][16 rows].
void packFloatRow(std::byte* group, std::size_t rowInGroup, std::size_t columns, std::size_t elementBytes,
                  const std::byte* source)
{
    for (std::size_t c = 0; c < columns; ++c)
        std::memcpy(group + (c * PackedMatrix::kGroupRows + rowInGroup) * elementBytes,
                    source + c * elementBytes, elementBytes);
}

template<class Format>
void readQuantizedRow(const std::byte* group, std::size_t rowInGroup, std::span<float> out)
{
    const PackedGroup<Format, const std::byte> packed(group);
    for (std::size_t c = 0; c < out.size(); ++c) {
        const std::size_t b = c / format::kColumns;
        const std::size_t column = c % format::kColumns;
        const auto [scale, minimum] = Format::Scales::get(packed.scales(b), rowInGroup, column / 16);
        const int value = Format::Codes::value(Format::Codes::get(packed.codes(b), rowInGroup, column));
        out[c] = scale * static_cast<float>(value) + minimum;
    }
}

void readFloatRow(TensorType type, const std::byte* group, std::size_t rowInGroup, std::span<float> out)
{
    const std::size_t elementBytes = tensorTypeInfo(type).blockBytes;
    for (std::size_t c = 0; c < out.size(); ++c) {
        const std::byte* element = group + (c * PackedMatrix::kGroupRows + rowInGroup) * elementBytes;
        std::uint32_t bits = 0;
        std::memcpy(&bits, element, elementBytes);
        const auto half = static_cast<std::uint16_t>(bits);
        out[c] = type == TensorType::F32   ? std::bit_cast<float>(bits)
                 : type == TensorType::F16 ? halfToFloat(half)
                                           : bfloatToFloat(half);
    }
}

} // namespace

std::size_t PackedMatrix::bytesFor(TensorType type, std::size_t rows, std::size_t columns) noexcept
{
    return (rows + kGroupRows - 1) / kGroupRows * groupBytesFor(type, columns);
}

PackedMatrix PackedMatrix::allocate(TensorType type, std::size_t rows, std::size_t columns)
{
    AlignedBuffer memory(bytesFor(type, rows, columns));
    PackedMatrix matrix = place(type, rows, columns, {memory.data(), memory.size()});
    matrix.m_own = std::move(memory);
    return matrix;
}

PackedMatrix PackedMatrix::place(TensorType type, std::size_t rows, std::size_t columns,
                                 std::span<std::byte> memory)
{
    assert(tensorTypeInfo(type).computable && memory.size() >= bytesFor(type, rows, columns));
    assert(reinterpret_cast<std::uintptr_t>(memory.data()) % AlignedBuffer::kAlignment == 0);
    PackedMatrix matrix;
    matrix.m_type = type;
    matrix.m_rows = rows;
    matrix.m_columns = columns;
    matrix.m_groupBytes = groupBytesFor(type, columns);
    matrix.m_data = memory.data();
    return matrix;
}

void PackedMatrix::packRows(RowRange range, const std::byte* source)
{
    assert(range.begin % kGroupRows == 0 && range.end <= m_rows);
    assert(range.end % kGroupRows == 0 || range.end == m_rows);
    const std::size_t sourceBytes = rowBytes(m_type, m_columns);
    for (std::size_t row = range.begin; row < range.end; ++row, source += sourceBytes) {
        std::byte* group = m_data + row / kGroupRows * m_groupBytes;
        if (row % kGroupRows == 0)
            std::fill_n(group, m_groupBytes, std::byte{0});
        const bool quantized = format::withFormat(m_type, [&](auto format) {
            packQuantizedRow<decltype(format)>(group, row % kGroupRows, m_columns, source);
        });
        if (!quantized)
            packFloatRow(group, row % kGroupRows, m_columns, tensorTypeInfo(m_type).blockBytes, source);
    }
}

void dequantizePackedRow(const PackedMatrix& matrix, std::size_t row, std::span<float> out)
{
    assert(row < matrix.rows() && out.size() == matrix.columns());
    const std::byte* group = matrix.group(row / PackedMatrix::kGroupRows);
    const std::size_t rowInGroup = row % PackedMatrix::kGroupRows;
    const bool quantized = format::withFormat(
        matrix.type(), [&](auto format) { readQuantizedRow<decltype(format)>(group, rowInGroup, out); });
    if (!quantized)
        readFloatRow(matrix.type(), group, rowInGroup, out);
}

} // namespace vitrine::kernels
