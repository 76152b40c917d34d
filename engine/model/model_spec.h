// SPDX-License-Identifier: GPL-3.0-or-later
// What a family of models is, as data. Families fill it in from GGUF metadata (model/families); the forward pass and
// the backends read it and name no family.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace vitrine {

enum class RopeKind {
    Interleaved, ///< rotates pairs (2i, 2i + 1): llama's files are permuted for it
    HalfSplit,   ///< rotates pairs (i, i + dims / 2), "NeoX"
};

struct RopeSpec {
    RopeKind kind = RopeKind::Interleaved;
    std::int32_t dims = 0;             ///< leading elements of a head that are rotated
    double base = 10000.0;
    double frequencyScale = 1.0;       ///< linear scaling: positions are multiplied by this
    std::vector<float> factors;        ///< (dims / 2) each frequency is divided by its factor; empty: none
};

struct ModelSpec {
    std::string architecture;
    std::string name;
    std::int32_t vocabSize = 0;
    std::int32_t contextLength = 0;
    std::int32_t embeddingLength = 0;
    std::int32_t layerCount = 0;
    std::int32_t headCount = 0;
    std::int32_t kvHeadCount = 0;
    std::int32_t headDim = 0;
    std::int32_t feedForwardLength = 0;
    float rmsEpsilon = 1e-5f;
    float attentionScale = 0;          ///< scores are multiplied by this
    RopeSpec rope;

    [[nodiscard]] std::int32_t queryLength() const { return headCount * headDim; }
    [[nodiscard]] std::int32_t kvLength() const { return kvHeadCount * headDim; }
};

} // namespace vitrine
