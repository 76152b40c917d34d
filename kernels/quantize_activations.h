// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/aligned_buffer.h"
#include "kernels/row_range.h"

#include <cstddef>
#include <cstdint>

namespace vitrine::kernels {

/// 32 columns of 8 activation rows side by side: value(j, c) ≈ scales[j] * values[j][c].
/// The rows lie together so that a matrix product reads them through one pointer.
struct alignas(64) ActivationBlock {
    static constexpr std::size_t kRows = 8;
    static constexpr std::size_t kColumns = 32;

    std::int8_t values[kRows][kColumns];
    float scales[kRows]; ///< about greatest magnitude of the 32 values / 127, up to 2 % more where that
                         ///< rounds better
    float sums[kRows];   ///< scale * sum of the 32 int8 values: what a weight's minimum is multiplied with
    std::int32_t sumsOf16[2][kRows]; ///< of int8 values 0 … 15 and 16 … 31
};

/// Activations (rows, columns) as int8 with one scale for 32 columns, in panels of 8 rows:
/// ActivationBlock[panel][block of 32 columns].
class QuantizedActivations {
public:
    QuantizedActivations() = default;
    /// Room for any shape with at most that many rows and columns. Throws std::bad_alloc.
    QuantizedActivations(std::size_t maxRows, std::size_t maxColumns);

    /// Sets the shape, allocates nothing and forgets the values. columns is a multiple of 32.
    /// One thread does this before quantizeRows is called by several.
    void setShape(std::size_t rows, std::size_t columns);

    [[nodiscard]] std::size_t rows() const noexcept { return m_rows; }
    [[nodiscard]] std::size_t columns() const noexcept { return m_columns; }
    [[nodiscard]] std::size_t blocks() const noexcept { return m_columns / ActivationBlock::kColumns; }
    /// Rows 8 * index …: blocks() of them, from left to right.
    [[nodiscard]] ActivationBlock* panel(std::size_t index) noexcept { return data() + index * blocks(); }
    [[nodiscard]] const ActivationBlock* panel(std::size_t index) const noexcept
    {
        return data() + index * blocks();
    }

private:
    [[nodiscard]] ActivationBlock* data() const noexcept;

    std::size_t m_rows = 0;
    std::size_t m_columns = 0;
    mutable AlignedBuffer m_buffer;
};

/// Quantises rows range.begin … of `values` (row j starts at values + j * stride) into the same rows of
/// `out`. Each thread may take any rows. Values must be finite.
void quantizeRows(const float* values, std::size_t stride, RowRange range, QuantizedActivations& out);

} // namespace vitrine::kernels
