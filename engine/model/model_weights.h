// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/model/model_spec.h"
#include "engine/model/tensor.h"

#include <vector>

namespace vitrine {

class GgufFile;

/// E embedding, Q heads * head_dim, KV kv_heads * head_dim, D head_dim, F feed forward, V vocabulary, X
/// experts (1 where there are none). What the spec does not ask for is absent. Several may be parts of one
/// tensor of the file.
struct LayerWeights {
    Tensor attentionNorm;       ///< (1, E)
    Tensor query;               ///< (Q, E)
    Tensor key;                 ///< (KV, E)
    Tensor value;               ///< (KV, E)
    Tensor queryBias;           ///< (1, Q)
    Tensor keyBias;             ///< (1, KV)
    Tensor valueBias;           ///< (1, KV)
    Tensor queryNorm;           ///< (1, D) or (1, Q)
    Tensor keyNorm;             ///< (1, D) or (1, KV)
    Tensor attentionOutput;     ///< (E, Q)
    Tensor attentionOutputBias; ///< (1, E)
    Tensor postAttentionNorm;   ///< (1, E)
    Tensor feedForwardNorm;     ///< (1, E)
    Tensor router;              ///< (X, E)
    Tensor gate;                ///< (X * F, E), one expert after the other
    Tensor up;                  ///< (X * F, E)
    Tensor down;                ///< (X * E, F)
    Tensor postFeedForwardNorm; ///< (1, E)
};

/// Views into the file: valid as long as the GgufFile is.
struct ModelWeights {
    Tensor tokenEmbedding; ///< (V, E)
    std::vector<LayerWeights> layers;
    Tensor outputNorm; ///< (1, E)
    Tensor output;     ///< (V, E); absent: the token embedding is the output layer too (tied)
};

/// Finds every tensor that `spec` asks for and checks its shape and type. Errors name the tensor.
[[nodiscard]] Result<ModelWeights> findWeights(const GgufFile& file, const ModelSpec& spec);

} // namespace vitrine
