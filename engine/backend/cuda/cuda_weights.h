// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cuda/device_array.h"

#include <vector>

namespace vitrine {

/// A matrix in the card's memory, its bytes as in the file; experts' lie one after the other.
struct CudaMatrix {
    DeviceArray<std::byte> data;
    kernels::TensorType type = kernels::TensorType::F32;
    int rows = 0; ///< of one expert
    int columns = 0;

    [[nodiscard]] kernels::cuda::WeightMatrix view() const { return {data.get(), type, rows, columns}; }
};

/// LayerWeights on the card; what is absent has no data.
struct CudaLayer {
    DeviceArray<float> attentionNorm;
    CudaMatrix query;
    CudaMatrix key;
    CudaMatrix value;
    DeviceArray<float> queryBias;
    DeviceArray<float> keyBias;
    DeviceArray<float> valueBias;
    DeviceArray<float> queryNorm;
    DeviceArray<float> keyNorm;
    CudaMatrix attentionOutput;
    DeviceArray<float> attentionOutputBias;
    DeviceArray<float> postAttentionNorm;
    DeviceArray<float> feedForwardNorm;
    CudaMatrix router;
    CudaMatrix gate;
    CudaMatrix up;
    CudaMatrix down;
    DeviceArray<float> postFeedForwardNorm;
};

struct CudaWeights {
    CudaMatrix tokenEmbedding;
    std::vector<CudaLayer> layers;
    DeviceArray<float> outputNorm;
    CudaMatrix output; ///< no data: the token embedding

    [[nodiscard]] const CudaMatrix& outputLayer() const
    {
        return output.data.get() != nullptr ? output : tokenEmbedding;
    }
};

/// Refuses, with numbers, what the card has no room for, before anything is copied. Throws BackendFailed.
[[nodiscard]] Result<CudaWeights> uploadWeights(kernels::cuda::Device& device, const ModelSpec& spec,
                                                const ModelWeights& weights, const LoadProgressFn& progress,
                                                const ReleaseTensorFn& release);

} // namespace vitrine
