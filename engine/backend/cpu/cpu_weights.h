// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cpu/worker_pool.h"
#include "kernels/aligned_buffer.h"
#include "kernels/packed_matrix.h"

#include <initializer_list>
#include <vector>

namespace vitrine {

struct CpuFeedForward {
    kernels::PackedMatrix gate, up;
    kernels::PackedMatrix down;
};

/// What the model does not have is empty.
struct CpuLayer {
    std::vector<float> attentionNorm;
    kernels::PackedMatrix query, key, value;
    std::vector<float> queryBias, keyBias, valueBias;
    std::vector<float> queryNorm, keyNorm;
    kernels::PackedMatrix attentionOutput;
    std::vector<float> attentionOutputBias;
    std::vector<float> postAttentionNorm;
    std::vector<float> feedForwardNorm;
    kernels::PackedMatrix router;
    std::vector<CpuFeedForward> feedForwards; ///< one, or one an expert
    std::vector<float> postFeedForwardNorm;

    [[nodiscard]] const CpuFeedForward& feedForward() const { return feedForwards.front(); }
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
[[nodiscard]] Result<CpuWeights> packWeights(const ModelSpec& spec, const ModelWeights& weights,
                                             WorkerPool& workers, const LoadProgressFn& progress,
                                             const ReleaseTensorFn& release);

/// Whether a product of these, which share one input, reads it as int8. Files mix types within a layer.
[[nodiscard]] bool anyQuantized(std::initializer_list<const kernels::PackedMatrix*> consumers);

} // namespace vitrine
