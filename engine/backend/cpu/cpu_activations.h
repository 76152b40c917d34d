// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/aligned_buffer.h"
#include "kernels/matmul.h"
#include "kernels/quantize_activations.h"

#include <cstddef>
#include <span>

namespace vitrine {

/// Rows of one width: as floats, and as int8 for the products that want them so.
class RowBuffer {
public:
    RowBuffer() = default;
    /// Room for `maxRows` rows of `width`; `quantizable`: quantize() may be called. Rows whose width is no
    /// multiple of a block never are: no quantised weight has such rows.
    RowBuffer(std::size_t maxRows, std::size_t width, bool quantizable);

    [[nodiscard]] std::size_t width() const { return m_width; }
    [[nodiscard]] float* data() { return reinterpret_cast<float*>(m_values.data()); }
    [[nodiscard]] std::span<float> row(std::size_t index) { return {data() + index * m_width, m_width}; }

    /// Before quantize(), by one thread.
    void setRows(std::size_t rows);
    /// Any thread, any rows.
    void quantize(kernels::RowRange rows) { kernels::quantizeRows(data(), m_width, rows, m_quantized); }

    /// The first `rows` rows as a product's input.
    [[nodiscard]] kernels::Activations input(std::size_t rows)
    {
        return {data(), m_width, rows, &m_quantized};
    }

private:
    std::size_t m_width = 0;
    bool m_quantizable = false;
    kernels::AlignedBuffer m_values;
    kernels::QuantizedActivations m_quantized;
};

/// What a forward pass of at most `maxRows` rows works on.
struct CpuActivations {
    std::size_t maxRows = 0;
    RowBuffer residual;  ///< x (T, E)
    RowBuffer hidden;    ///< h (T, E)
    RowBuffer query;     ///< (T, Q)
    RowBuffer key;       ///< (T, KV)
    RowBuffer value;     ///< (T, KV)
    RowBuffer attention; ///< (T, Q)
    RowBuffer gate;      ///< (T, F)
    RowBuffer up;        ///< (T, F)
    RowBuffer cosines;   ///< (T, tables * rope dims / 2)
    RowBuffer sines;     ///< (T, tables * rope dims / 2)
    // Empty unless the model has experts:
    RowBuffer routerLogits; ///< (T, X)
    RowBuffer expertInput;  ///< (T, E), h of the tokens that chose one expert, then of the next
    RowBuffer expertOutput; ///< (T, E) of these
    RowBuffer expertSum;    ///< (T, E)
};

} // namespace vitrine
