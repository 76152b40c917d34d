// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/quantize_activations.h"

#include "kernels/reference.h"

#include <cassert>
#include <numeric>

namespace vitrine::kernels {
namespace {

std::size_t panelsFor(std::size_t rows)
{
    return (rows + ActivationBlock::kRows - 1) / ActivationBlock::kRows;
}

} // namespace

QuantizedActivations::QuantizedActivations(std::size_t maxRows, std::size_t maxColumns)
    : m_buffer(panelsFor(maxRows) * (maxColumns / ActivationBlock::kColumns) * sizeof(ActivationBlock))
{
}

void QuantizedActivations::setShape(std::size_t rows, std::size_t columns)
{
    assert(columns % ActivationBlock::kColumns == 0);
    m_rows = rows;
    m_columns = columns;
    assert(panelsFor(rows) * blocks() * sizeof(ActivationBlock) <= m_buffer.size());
}

ActivationBlock* QuantizedActivations::data() const noexcept
{
    return reinterpret_cast<ActivationBlock*>(m_buffer.data());
}

void quantizeRows(const float* values, std::size_t stride, RowRange range, QuantizedActivations& out)
{
    for (std::size_t row = range.begin; row < range.end; ++row) {
        ActivationBlock* panel = out.panel(row / ActivationBlock::kRows);
        const std::size_t j = row % ActivationBlock::kRows;
        for (std::size_t b = 0; b < out.blocks(); ++b) {
            const std::span<const float, 32> block(values + row * stride + 32 * b, 32);
            panel[b].scales[j] = reference::quantizeBlock(block, panel[b].values[j]);
            panel[b].sums[j] =
                panel[b].scales[j] *
                static_cast<float>(std::accumulate(panel[b].values[j], panel[b].values[j] + 32, 0));
        }
    }
}

} // namespace vitrine::kernels
