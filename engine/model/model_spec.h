// SPDX-License-Identifier: GPL-3.0-or-later
// What a family of models is, as data. Families fill it in from GGUF metadata (model/families); the forward
// pass and the backends read it and name no family.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace vitrine {

enum class RopeKind {
    Interleaved, ///< rotates pairs (2i, 2i + 1): llama's files are permuted for it
    HalfSplit,   ///< rotates pairs (i, i + dims / 2), "NeoX"
};

/// The angles of one way to count positions; bases, scalings and factors of the file are worked in.
struct RopeTable {
    std::vector<double> frequencies; ///< (dims / 2) angle of each pair for one position
    /// Instead, where max_model_len is beyond RopeSpec::originalContext (LongRoPE); may be empty. It goes by
    /// what sequences may become, not by what one is (docs/engine.md, "Positions").
    std::vector<double> longFrequencies;
    float magnitude = 1; ///< of cosines and sines
};

struct RopeSpec {
    RopeKind kind = RopeKind::Interleaved;
    std::int32_t dims = 0;            ///< leading elements of a head that are rotated
    std::int32_t originalContext = 0; ///< tokens that the model first learned; 0: contextLength
    std::vector<RopeTable> tables;    ///< layers say which
};

inline constexpr std::int32_t kNoRope = -1;

struct LayerSpec {
    std::int32_t window = 0;    ///< keys that a token sees, its own and those before it; 0: all
    std::int32_t ropeTable = 0; ///< of RopeSpec::tables, or kNoRope
};

enum class NormPlacement {
    Before, ///< x += f(norm(x))
    After,  ///< x += norm(f(x))
    Both,   ///< x += norm(f(norm(x)))
};

/// RMSNorm of queries and keys, before they are rotated.
enum class QkNorm {
    None,
    EachHead, ///< weights (head_dim)
    WholeRow, ///< all heads together: weights (Q) and (KV)
};

enum class Activation {
    Silu,
    GeluTanh,
};

/// A feed-forward layer made of experts: a router chooses some for each token. count 0: an ordinary one.
struct ExpertSpec {
    std::int32_t count = 0;
    std::int32_t used = 0;        ///< of them for each token, those of the greatest probability
    bool normalizeWeights = true; ///< the weights of the used ones add up to 1
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
    std::int32_t feedForwardLength = 0; ///< of each expert, where there are experts
    float rmsEpsilon = 1e-5f;
    NormPlacement norms = NormPlacement::Before;
    QkNorm qkNorm = QkNorm::None;
    Activation activation = Activation::Silu;
    ExpertSpec experts;
    RopeSpec rope;
    std::vector<LayerSpec> layers; ///< (layerCount)

    bool qkvBias = false;
    bool outputBias = false;  ///< of the attention's output projection
    bool fusedQkv = false;    ///< the file has q, k and v in one tensor
    bool fusedGateUp = false; ///< the file has gate and up in one tensor

    float embeddingScale = 1;   ///< the token's embedding is multiplied by this
    float residualScale = 1;    ///< what a layer adds to x is multiplied by this
    float attentionScale = 0;   ///< scores are multiplied by this
    float attentionSoftCap = 0; ///< scaled scores s become cap * tanh(s / cap); 0: they stay
    float logitScale = 1;       ///< logits are multiplied by this
    float logitSoftCap = 0;     ///< as attentionSoftCap, after logitScale

    [[nodiscard]] std::int32_t queryLength() const { return headCount * headDim; }
    [[nodiscard]] std::int32_t kvLength() const { return kvHeadCount * headDim; }
    [[nodiscard]] bool normsBefore() const { return norms != NormPlacement::After; }
    [[nodiscard]] bool normsAfter() const { return norms != NormPlacement::Before; }
    [[nodiscard]] bool hasExperts() const { return experts.count > 0; }
};

} // namespace vitrine
