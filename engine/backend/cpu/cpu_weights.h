// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cpu/worker_pool.h"
#include "kernels/aligned_buffer.h"
#include "kernels/packed_matrix.h"

#include <vector>

namespace vitrine {

struct CpuLayer {
    std::vector<float> attentionNorm;
    kernels::PackedMatrix query, key, value;
    kernels::PackedMatrix attentionOutput;
    std::vector<float> feedForwardNorm;
    kernels::PackedMatrix gate, up;
    kernels::PackedMatrix down;
};

/// The weights as the CPU kernels want them; the file is not needed afterwards.
struct CpuWeights {
    kernels::AlignedBuffer memory; ///< of all matrices; in one piece, so that it gets huge pages
    kernels::PackedMatrix tokenEmbedding;
    std::vector<CpuLayer> layers;
    std::vector<float> outputNorm;
    kernels::PackedMatrix output; ///< no rows where tied: see outputLayer()

    [[nodiscard]] const kernels::PackedMatrix& outputLayer() const
    {
        return output.rows() > 0 ? output : tokenEmbedding;
    }
};

/// Packs every tensor with all threads, one after the other, so that little more than one tensor is held
/// twice.
[[nodiscard]] Result<CpuWeights> packWeights(const ModelWeights& weights, WorkerPool& workers,
                                             const LoadProgressFn& progress, const ReleaseTensorFn& release);

} // namespace vitrine
