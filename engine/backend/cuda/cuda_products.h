// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/cuda/cuda_weights.h"
#include "engine/backend/cuda/device_array.h"
#include "kernels/cuda/device.h"

#include <cstddef>

namespace vitrine {

/// Products with the model's matrices. Those with few rows read the weights in their own format; those with
/// many dequantise them by tiles and multiply 16-bit floats, or floats where the weights are.
class CudaProducts {
public:
    enum class Into { Overwrite, Add };

    /// `device` outlives this.
    explicit CudaProducts(kernels::cuda::Device& device);

    /// Memory for products with these matrices. Throws std::bad_alloc, as does reserveRows().
    void prepare(const CudaWeights& weights, bool hasExperts);
    /// For as many rows at once, the matrices' widest.
    void reserveRows(std::size_t rows);

    /// Precondition: memory was reserved. out (rows, weights.rows) = or += weights * in (rows,
    /// weights.columns)
    void multiply(const CudaMatrix& weights, const float* in, int rows, float* out, Into into);

private:
    /// Rows of floats, as cuBLAS wants them.
    struct DenseInput {
        const void* data;
        kernels::cuda::DenseType type;
        float unscale; ///< what the product must be multiplied by
    };

    void multiplyDense(const CudaMatrix& weights, const float* in, int rows, float* out, Into into);
    void multiplyByTiles(const CudaMatrix& weights, kernels::cuda::DenseProduct product);
    [[nodiscard]] kernels::cuda::DenseType denseTypeFor(kernels::TensorType type) const;
    [[nodiscard]] DenseInput denseInput(const float* in, std::size_t count, kernels::cuda::DenseType type);

    kernels::cuda::Device& m_device;
    DeviceArray<std::byte> m_tile;        ///< weights as 16-bit floats
    DeviceArray<std::byte> m_narrowInput; ///< rows as 16-bit floats
    std::size_t m_narrowColumns = 0;      ///< of the widest matrix that is multiplied as such
};

} // namespace vitrine
