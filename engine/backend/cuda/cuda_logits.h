// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_products.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vitrine {

/// What comes after the last layer: some rows' logits, all of them or the greatest. The one place where a
/// pass waits for the card.
class CudaLogits {
public:
    /// Some rows of the residual stream.
    struct Rows {
        const float* residual;
        const std::int32_t* numbers; ///< (count), in the card's memory
        std::int32_t count;
    };

    /// `device` and `products` outlive this.
    CudaLogits(kernels::cuda::Device& device, CudaProducts& products);

    /// For passes with so many rows.
    void reserve(std::int32_t rows, const ModelSpec& spec, const CudaWeights& weights);
    /// Memory is taken as it is needed.
    void release();
    /// Another pass has begun: no row is what it was.
    void forget() { m_held.reset(); }

    /// (count, V) of the spec's vocabulary; valid until the next call of this. What topOf() has computed
    /// before is not computed again.
    [[nodiscard]] std::span<float> of(const Rows& rows, const ModelSpec& spec, const CudaWeights& weights);
    /// (count, k); precondition: k is from 1 to kMaxTopLogits. One wait for any number of rows. Valid until
    /// the next call of this.
    [[nodiscard]] TopLogits topOf(const Rows& rows, std::int32_t k, const ModelSpec& spec,
                                  const CudaWeights& weights);

private:
    void reserveTop(std::size_t rows, std::size_t rowsAtOnce, std::int32_t k, int columns);
    [[nodiscard]] bool holds(const Rows& rows) const;
    void compute(const Rows& rows, const ModelSpec& spec, const CudaWeights& weights);
    void findTop(std::int32_t rows, int columns, std::int32_t k, float* values, std::int32_t* ids);

    kernels::cuda::Device& m_device;
    CudaProducts& m_products;
    DeviceArray<float> m_normed; ///< (L, E)
    DeviceArray<float> m_logits; ///< (L, V)
    std::optional<Rows> m_held;  ///< the rows whose logits those are
    std::vector<float> m_hostLogits;
    // The greatest of each chunk, then of each row:
    DeviceArray<float> m_chunkValues;
    DeviceArray<std::int32_t> m_chunkIds;
    DeviceArray<std::byte> m_top; ///< values, then ids: one copy
    std::vector<std::byte> m_hostTop;
};

} // namespace vitrine
