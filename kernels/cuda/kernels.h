// SPDX-License-Identifier: GPL-3.0-or-later
// What the graphics card computes, as plain C++: each struct is the arguments of one kernel, each function
// starts it and returns at once. All pointers are the device's; rows lie one after the other without gaps.
// Pointers that may be null say so.
#pragma once
#include "kernels/cuda/kv_pool.h"
#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>

namespace vitrine::kernels::cuda {

/// Where and how wide a kernel runs.
struct Launch {
    void* stream = nullptr; ///< a cudaStream_t
    int threads = 128;      ///< of a block: whole warps of 32
};

/// 0, or the number of the driver's error (cudaError_t).
using Status = int;

/// A matrix as the model file holds it: `rows` outputs of `columns` inputs.
struct WeightMatrix {
    const void* data = nullptr; ///< 16-byte aligned
    TensorType type = TensorType::F32;
    int rows = 0;
    int columns = 0;
};

/// out[r] = in[r] / sqrt(mean(in[r]^2) + epsilon) * weight (arXiv:1910.07467); `out` may be `in` where there
/// are no row numbers.
struct RmsNorm {
    float* out;                    ///< (rows, columns)
    const float* in;               ///< (rows, columns), or any number of rows that rowNumbers chooses from
    const float* weight = nullptr; ///< (columns); null: a copy, without norm
    const std::int32_t* rowNumbers = nullptr; ///< (rows) of `in`; null: 0, 1, 2 …
    int rows = 0;
    int columns = 0;
    float epsilon = 0;
};
[[nodiscard]] Status rmsNorm(const Launch& launch, const RmsNorm& problem);

/// residual += scale * norm(branch + bias)
struct AddToResidual {
    float* residual; ///< (rows, columns)
    float* branch;   ///< (rows, columns); changed
    const float* bias = nullptr;
    const float* weight = nullptr; ///< the norm's; null: no norm
    int rows = 0;
    int columns = 0;
    float epsilon = 0;
    float scale = 1;
};
[[nodiscard]] Status addToResidual(const Launch& launch, const AddToResidual& problem);

/// values[r] += bias
struct AddBias {
    float* values; ///< (rows, columns)
    const float* bias;
    int rows = 0;
    int columns = 0;
};
[[nodiscard]] Status addBias(const Launch& launch, const AddBias& problem);

enum class GateKind : std::uint8_t { Silu, GeluTanh };

/// gate = act(gate) * up, as kernels::siluMul and geluMul
struct Gate {
    float* gate;
    const float* up;
    std::size_t count = 0;
    GateKind kind = GateKind::Silu;
};
[[nodiscard]] Status applyGate(const Launch& launch, const Gate& problem);

/// values = cap * tanh(scale * values / cap); cap 0: scale * values
struct ScaleAndCap {
    float* values;
    std::size_t count = 0;
    float scale = 1;
    float cap = 0;
};
[[nodiscard]] Status scaleAndCap(const Launch& launch, const ScaleAndCap& problem);

/// Cosines and sines of position * frequency, times `magnitude`: the angle in double, as float would lose it
/// in long contexts.
struct RopeAngles {
    float* cosines;            ///< (tokens, pairs)
    float* sines;              ///< (tokens, pairs)
    const double* frequencies; ///< (pairs)
    const std::int32_t* positions;
    int tokens = 0;
    int pairs = 0;
    float magnitude = 1;
};
[[nodiscard]] Status ropeAngles(const Launch& launch, const RopeAngles& problem);

/// What comes between the products with W_q, W_k, W_v and attention: bias, norm of each head, rotation; then
/// k and v go into their slots.
struct FinishQkv {
    float* query;       ///< (tokens, heads * headDim), in place
    const float* key;   ///< (tokens, kvHeads * headDim)
    const float* value; ///< (tokens, kvHeads * headDim)
    const float* queryBias = nullptr;
    const float* keyBias = nullptr;
    const float* valueBias = nullptr;
    const float* queryNorm = nullptr; ///< (headDim)
    const float* keyNorm = nullptr;   ///< (headDim)
    const float* cosines = nullptr;   ///< (tokens, pairs); null: no rotation
    const float* sines = nullptr;
    const std::int64_t* slotMapping; ///< (tokens, slotStride), of each the first: block * blockSize + offset
    int slotStride = 1;
    KvPool pool;
    int layer = 0;
    int tokens = 0;
    int heads = 0;
    int pairs = 0;
    bool interleaved = true; ///< rotates (2i, 2i + 1); otherwise (i, i + pairs)
    float epsilon = 0;
};
[[nodiscard]] Status finishQkv(const Launch& launch, const FinishQkv& problem);

/// out[i] = weights * in[i], or += it: the weights are read once for kMatVecInputs inputs, in their own
/// format.
struct MatVec {
    float* out; ///< (inputs, rows)
    WeightMatrix weights;
    const float* in; ///< (inputs, columns), 16-byte aligned
    int inputs = 0;
    bool add = false;
};
inline constexpr int kMatVecInputs = 8;
[[nodiscard]] Status matVec(const Launch& launch, const MatVec& problem);

/// The same with a matrix for each output: out[v] = matrices[choice[v]] * in[v / share].
struct ChosenMatVec {
    float* out;                 ///< (visits, rows)
    WeightMatrix weights;       ///< the first of the matrices that lie one after the other
    const float* in;            ///< (visits / share, columns), 16-byte aligned
    const std::int32_t* choice; ///< (visits)
    int visits = 0;
    int share = 1;
};
[[nodiscard]] Status chosenMatVec(const Launch& launch, const ChosenMatVec& problem);

enum class NarrowType : std::uint8_t { F16, BF16 };

/// Rows firstRow … firstRow + rows - 1 of a matrix as 16-bit floats for cuBLAS; what is beyond F16 becomes
/// its greatest.
struct Dequantize {
    void* out; ///< (rows, columns) of `to`
    WeightMatrix weights;
    int firstRow = 0;
    int rows = 0;
    NarrowType to = NarrowType::F16;
};
[[nodiscard]] Status dequantize(const Launch& launch, const Dequantize& problem);

/// out = scale * in as 16-bit floats; what is beyond F16 becomes its greatest.
struct Narrow {
    void* out;
    const float* in;
    std::size_t count = 0;
    float scale = 1;
    NarrowType to = NarrowType::F16;
};
[[nodiscard]] Status narrow(const Launch& launch, const Narrow& problem);

/// out[i] = scale * row tokens[i] of the table
struct Embed {
    float* out; ///< (count, columns)
    WeightMatrix table;
    const std::int32_t* tokens;
    int count = 0;
    float scale = 1;
};
[[nodiscard]] Status embed(const Launch& launch, const Embed& problem);

/// Of each row the experts of the greatest logits, the first among equals, and the softmax of these
/// (normalize) or of all.
struct ChooseExperts {
    std::int32_t* choice; ///< (rows, used), best first
    float* weights;       ///< (rows, used)
    const float* logits;  ///< (rows, experts)
    int rows = 0;
    int experts = 0;
    int used = 0; ///< at most kMaxUsedExperts
    bool normalize = true;
};
inline constexpr int kMaxUsedExperts = 32;
[[nodiscard]] Status chooseExperts(const Launch& launch, const ChooseExperts& problem);

/// out[r] = sum over the visits of a row of weights[v] * in[v]
struct SumExperts {
    float* out;      ///< (rows, columns)
    const float* in; ///< (rows * used, columns)
    const float* weights;
    int rows = 0;
    int used = 0;
    int columns = 0;
};
[[nodiscard]] Status sumExperts(const Launch& launch, const SumExperts& problem);

/// The `k` greatest finite values of each row's chunk, greatest first, the lower id among equals. Where there
/// are fewer, id -1 and −∞ follow. A second call on the chunks' candidates makes them a row's.
struct TopK {
    float* values;                       ///< (rows, chunks, k)
    std::int32_t* ids;                   ///< (rows, chunks, k)
    const float* in;                     ///< (rows, columns)
    const std::int32_t* inIds = nullptr; ///< of `in`; null: its columns
    int rows = 0;
    int columns = 0;
    int chunk = 0; ///< columns of a chunk, at most kTopKChunk
    int k = 0;     ///< at most kMaxTopK
};
inline constexpr int kTopKChunk = 4096;
inline constexpr int kMaxTopK = 64;
[[nodiscard]] Status topK(const Launch& launch, const TopK& problem);

/// Some query heads of one kv head, of consecutive tokens of one sequence, over some of its keys: what a
/// block of threads does for each kv head.
struct AttentionItem {
    std::int32_t row = 0;       ///< of the batch, the first token's
    std::int32_t rows = 0;      ///< 0: nothing is done
    std::int32_t position = 0;  ///< of the first token in its sequence
    std::int32_t table = 0;     ///< the sequence's first entry in Attention::tables
    std::int32_t firstHead = 0; ///< among the query heads of a kv head
    std::int32_t heads = 0;     ///< rows * heads is at most kMaxQueries
    std::int32_t begin = 0;     ///< keys begin … end - 1, as far as they are seen
    std::int32_t end = 0;
    std::int32_t partial = -1; ///< first row in the partial results; -1: these are all keys
};
inline constexpr int kMaxQueries = 16;

/// Puts the parts of a split item together.
struct AttentionMerge {
    std::int32_t row = 0;
    std::int32_t rows = 0; ///< 0: nothing is done
    std::int32_t firstHead = 0;
    std::int32_t heads = 0;
    std::int32_t partial = 0; ///< of the first part; each has rows * heads rows
    std::int32_t parts = 0;
};

/// out = softmax(cap(scale * query · keys)) · values over paged keys, causal, within the window
/// (arXiv:2309.06180; split over keys: arXiv:2311.01282).
struct Attention {
    float* out;         ///< (tokens, heads, headDim)
    const float* query; ///< (tokens, heads, headDim), 16-byte aligned
    KvPool pool;
    const std::uint32_t*
        tables;          ///< block of each blockSize positions; entries that no row sees may hold anything
    int tableStride = 1; ///< from a table's entry to the next
    const AttentionItem* items;
    const AttentionMerge* merges;
    float* partialOut;    ///< (partial rows, kvHeads, headDim), not normalised
    float* partialMaxima; ///< (partial rows, kvHeads)
    float* partialSums;   ///< (partial rows, kvHeads)
    int layer = 0;
    int itemCount = 0;
    int mergeCount = 0;
    int itemQueries = kMaxQueries; ///< the most rows * heads of an item
    int heads = 0;
    int window = 0; ///< keys that a row sees, its own and those before it; 0: all
    float scale = 1;
    float softCap = 0; ///< 0: none
};
[[nodiscard]] Status attention(const Launch& launch, const Attention& problem);

} // namespace vitrine::kernels::cuda
