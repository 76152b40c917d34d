// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/cpu_activations.h"

namespace vitrine {

RowBuffer::RowBuffer(std::size_t maxRows, std::size_t width, bool quantizable)
    : m_width(width)
    , m_quantizable(quantizable && width % kernels::ActivationBlock::kColumns == 0)
    , m_values(maxRows * width * sizeof(float))
{
    if (m_quantizable)
        m_quantized = kernels::QuantizedActivations(maxRows, width);
}

void RowBuffer::setRows(std::size_t rows)
{
    if (m_quantizable)
        m_quantized.setShape(rows, m_width);
}

} // namespace vitrine
