// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/model/model_spec.h"
#include "engine/model/tensor.h"

#include <vector>

namespace vitrine {

class GgufFile;

/// E embedding, Q heads * head_dim, KV kv_heads * head_dim, F feed forward, V vocabulary.
struct LayerWeights {
    Tensor attentionNorm;   ///< (1, E)
    Tensor query;           ///< (Q, E)
    Tensor key;             ///< (KV, E)
    Tensor value;           ///< (KV, E)
    Tensor attentionOutput; ///< (E, Q)
    Tensor feedForwardNorm; ///< (1, E)
    Tensor gate;            ///< (F, E)
    Tensor up;              ///< (F, E)
    Tensor down;            ///< (E, F)
};

/// Views into the file: valid as long as the GgufFile is.
struct ModelWeights {
    Tensor tokenEmbedding; ///< (V, E)
    std::vector<LayerWeights> layers;
    Tensor outputNorm;     ///< (1, E)
    Tensor output;         ///< (V, E); absent: the token embedding is the output layer too (tied)
};

/// Finds every tensor that `spec` asks for and checks its shape and type. Errors name the tensor.
[[nodiscard]] Result<ModelWeights> findWeights(const GgufFile& file, const ModelSpec& spec);

} // namespace vitrine
