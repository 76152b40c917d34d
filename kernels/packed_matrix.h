// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/aligned_buffer.h"
#include "kernels/row_range.h"
#include "kernels/tensor_type.h"

#include <cstddef>
#include <span>

namespace vitrine::kernels {

/// A weight matrix (rows n, columns k) repacked for matmul: 16 rows side by side, so that one vector register
/// holds the same columns of 16 rows. README.md shows the layout. Its bytes are those of the file, up to a
/// cache line a group: it replaces the file's pages. Rows beyond n in the last group are zero.
class PackedMatrix {
public:
    /// Threads share rows in multiples of this.
    static constexpr std::size_t kGroupRows = 16;

    PackedMatrix() = default;

    /// Memory for a matrix of (rows, columns), all zero. Preconditions: the type is computable, columns a
    /// multiple of its block. Throws std::bad_alloc: ask bytesFor() first whether there is room.
    [[nodiscard]] static PackedMatrix allocate(TensorType type, std::size_t rows, std::size_t columns);
    /// The same inside memory that others share and that outlives it: bytesFor() bytes, on a cache line. Put
    /// all matrices of a model into one AlignedBuffer, as only a large one gets huge pages.
    [[nodiscard]] static PackedMatrix place(TensorType type, std::size_t rows, std::size_t columns,
                                            std::span<std::byte> memory);
    /// A multiple of AlignedBuffer::kAlignment.
    [[nodiscard]] static std::size_t bytesFor(TensorType type, std::size_t rows,
                                              std::size_t columns) noexcept;

    /// Packs some rows; `source` is the first byte of row range.begin in the file's layout, rows follow each
    /// other. Several threads may pack at once; range.begin is a multiple of 16, range.end too or equal to
    /// rows().
    void packRows(RowRange range, const std::byte* source);

    [[nodiscard]] TensorType type() const noexcept { return m_type; }
    [[nodiscard]] std::size_t rows() const noexcept { return m_rows; }
    [[nodiscard]] std::size_t columns() const noexcept { return m_columns; }
    [[nodiscard]] std::size_t groups() const noexcept { return (m_rows + kGroupRows - 1) / kGroupRows; }
    [[nodiscard]] std::size_t bytes() const noexcept { return groups() * m_groupBytes; }
    [[nodiscard]] std::size_t groupBytes() const noexcept { return m_groupBytes; }
    /// Rows 16 * index …: groupBytes() bytes, starting on a cache line.
    [[nodiscard]] const std::byte* group(std::size_t index) const noexcept
    {
        return m_data + index * m_groupBytes;
    }

private:
    TensorType m_type = TensorType::F32;
    std::size_t m_rows = 0;
    std::size_t m_columns = 0;
    std::size_t m_groupBytes = 0;
    AlignedBuffer m_own; ///< empty where the memory is shared
    std::byte* m_data = nullptr;
};

/// Reads one row back, bit for bit as dequantizeRow gives it: the embedding of a token where the table is
/// also the output layer. out.size() == columns().
void dequantizePackedRow(const PackedMatrix& matrix, std::size_t row, std::span<float> out);

} // namespace vitrine::kernels
