// SPDX-License-Identifier: GPL-3.0-or-later
// Attention over paged keys and values, in tiles of kKeys keys with an online softmax. A block of threads
// takes up to kMaxQueries rows that share a kv head (query heads of a token, tokens of a prompt), so that a
// key is read once for all of them. A tile has three phases, each with its own split of the work: scores
// (eight lanes a key), softmax (a warp a query), values (a thread some dimensions).
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/narrow.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

constexpr int kKeys = kWarp; ///< of a tile: the softmax gives each lane one
constexpr int kLanesPerKey = 8;
constexpr int kReadDims = 8; ///< that a lane reads at once

template<class Element>
struct alignas(16) Dims {
    Element values[kReadDims];
};

static_assert(static_cast<std::size_t>(kMaxQueries) * (kMaxHeadDim + kKeys + 3) * sizeof(float) +
                      2 * kKeys * sizeof(std::size_t) <=
                  48 * 1024,
              "a block must ask for more shared memory than that");

/// The item as one block sees it.
struct Work {
    AttentionItem item;
    int kvHead;
    int queries; ///< rows * heads
    int begin;   ///< keys
    int end;

    __device__ Work(const Attention& p, const AttentionItem& from, int ofKvHead)
        : item(from)
        , kvHead(ofKvHead)
        , queries(from.rows * from.heads)
        , begin(p.window > 0 ? max(from.begin, from.position - p.window + 1) : from.begin)
        , end(from.end)
    {
    }
    [[nodiscard]] __device__ int position(int query) const { return item.position + query / item.heads; }
    /// Of the query's elements in Attention::query and out.
    [[nodiscard]] __device__ std::size_t offset(const Attention& p, int query) const
    {
        const int group = p.heads / p.pool.kvHeads;
        const int head = kvHead * group + item.firstHead + query % item.heads;
        const std::size_t row = static_cast<std::size_t>(item.row + query / item.heads);
        return (row * static_cast<std::size_t>(p.heads) + static_cast<std::size_t>(head)) *
               static_cast<std::size_t>(p.pool.headDim);
    }
    [[nodiscard]] __device__ bool sees(const Attention& p, int query, int key) const
    {
        return key <= position(query) && (p.window == 0 || key > position(query) - p.window);
    }
};

/// What the threads of a block share.
template<int kQueries>
struct Shared {
    float* queries;    ///< [query][headDim]
    float* scores;     ///< [query][key]; then what the keys weigh
    float* maxima;     ///< [query] of the scores so far
    float* sums;       ///< [query] of the weights so far
    float* rescales;   ///< [query] what a new maximum does to the results so far
    std::size_t* keys; ///< [2][key] where the keys of this tile and the next one lie
};

/// Lane by lane of one warp: where the tile's keys lie. Entries of the table that no key needs are not read.
__device__ __forceinline__ void locate(const Attention& p, const Work& work, int tile, std::size_t* keys)
{
    const int key = tile + laneOf();
    if (key >= work.end)
        return;
    const std::uint32_t block = p.tables[work.item.table + key / p.pool.blockSize * p.tableStride];
    keys[laneOf()] = p.pool.keyAt(block, p.layer, work.kvHead, key % p.pool.blockSize);
}

/// The dot products of one key with all queries, this lane's part of them.
template<class Element, int kQueries>
__device__ __forceinline__ void multiplyKey(const Element* key, const float* queries, int count, int headDim,
                                            float (&dots)[kQueries])
{
    for (int d = threadOf() % kLanesPerKey * kReadDims; d < headDim; d += kLanesPerKey * kReadDims) {
        const Dims<Element> from = *reinterpret_cast<const Dims<Element>*>(key + d);
        float values[kReadDims];
        for (int i = 0; i < kReadDims; ++i)
            values[i] = widened(from.values[i]);
        VITRINE_UNROLL
        for (int q = 0; q < kQueries; ++q)
            if (q < count)
                for (int i = 0; i < kReadDims; ++i)
                    dots[q] += queries[q * headDim + d + i] * values[i];
    }
}

template<class Element, int kQueries>
__device__ __forceinline__ void score(const Attention& p, const Work& work, int tile, const std::size_t* keys,
                                      const Shared<kQueries>& shared)
{
    // All lanes of a warp go round equally often, as shuffles require.
    for (int k = threadOf() / kLanesPerKey; k < kKeys; k += threadCount() / kLanesPerKey) {
        const bool exists = tile + k < work.end;
        float dots[kQueries] = {};
        if (exists)
            multiplyKey(static_cast<const Element*>(p.pool.data) + keys[k], shared.queries, work.queries,
                        p.pool.headDim, dots);
        VITRINE_UNROLL
        for (int q = 0; q < kQueries; ++q) {
            if (q >= work.queries)
                break;
            const float dot = groupSum<kLanesPerKey>(dots[q]) * p.scale;
            if (threadOf() % kLanesPerKey != 0)
                continue;
            const float capped = p.softCap > 0 ? p.softCap * tanhf(dot / p.softCap) : dot;
            shared.scores[q * kKeys + k] = exists && work.sees(p, q, tile + k) ? capped : -INFINITY;
        }
    }
}

/// Scores become weights relative to the greatest score so far.
template<int kQueries>
__device__ __forceinline__ void weigh(int count, const Shared<kQueries>& shared)
{
    for (int q = warpOf(); q < count; q += warpCount()) {
        const float score = shared.scores[q * kKeys + laneOf()];
        const float before = shared.maxima[q];
        const float greatest = fmaxf(before, warpMax(score));
        const bool sawAny = greatest > -INFINITY;
        const float weight = sawAny ? expf(score - greatest) : 0.0F;
        const float rescale = sawAny ? expf(before - greatest) : 1.0F; // 0 with the first key that is seen
        const float sum = shared.sums[q] * rescale + groupSum(weight);
        shared.scores[q * kKeys + laneOf()] = weight;
        __syncwarp(); // all lanes have read what the first one overwrites
        if (laneOf() == 0) {
            shared.maxima[q] = greatest;
            shared.sums[q] = sum;
            shared.rescales[q] = rescale;
        }
    }
}

template<class Element, int kQueries, int kDims>
__device__ __forceinline__ void addValues(const Attention& p, const Work& work, int tile,
                                          const std::size_t* keys, const Shared<kQueries>& shared,
                                          float (&out)[kQueries][kDims])
{
    const int count = min(kKeys, work.end - tile);
    VITRINE_UNROLL
    for (int i = 0; i < kDims; ++i) {
        const int d = threadOf() + i * threadCount();
        if (d >= p.pool.headDim)
            break;
        const Element* const values = static_cast<const Element*>(p.pool.data) + p.pool.valueOffset() + d;
        VITRINE_UNROLL
        for (int q = 0; q < kQueries; ++q)
            if (q < work.queries)
                out[q][i] *= shared.rescales[q];
        for (int k = 0; k < count; ++k) {
            const float value = widened(values[keys[k]]);
            VITRINE_UNROLL
            for (int q = 0; q < kQueries; ++q)
                if (q < work.queries)
                    out[q][i] += shared.scores[q * kKeys + k] * value;
        }
    }
}

template<int kQueries, int kDims>
__device__ __forceinline__ void finish(const Attention& p, const Work& work, const Shared<kQueries>& shared,
                                       const float (&out)[kQueries][kDims])
{
    const std::size_t kvHeads = static_cast<std::size_t>(p.pool.kvHeads);
    VITRINE_UNROLL
    for (int q = 0; q < kQueries; ++q) {
        if (q >= work.queries)
            break;
        const bool whole = work.item.partial < 0;
        const std::size_t partial =
            static_cast<std::size_t>(work.item.partial + q) * kvHeads + static_cast<std::size_t>(work.kvHead);
        float* const target = whole ? p.out + work.offset(p, q)
                                    : p.partialOut + partial * static_cast<std::size_t>(p.pool.headDim);
        const float factor = whole ? 1 / shared.sums[q] : 1.0F;
        VITRINE_UNROLL
        for (int i = 0; i < kDims; ++i) {
            const int d = threadOf() + i * threadCount();
            if (d < p.pool.headDim)
                target[d] = out[q][i] * factor;
        }
        if (!whole && threadOf() == 0) {
            p.partialMaxima[partial] = shared.maxima[q];
            p.partialSums[partial] = shared.sums[q];
        }
    }
}

// grid: (items, kv heads)
template<class Element, int kQueries, int kDims>
__global__ void attendItem(const Attention p)
{
    STATIC_SHARED(float, scores, kQueries* kKeys);
    STATIC_SHARED(float, maxima, kQueries);
    STATIC_SHARED(float, sums, kQueries);
    STATIC_SHARED(float, rescales, kQueries);
    STATIC_SHARED(std::size_t, keys, 2 * kKeys);
    DYNAMIC_SHARED(float, queries);
    const Work work(p, p.items[blockIdx.x], static_cast<int>(blockIdx.y));
    if (work.queries == 0)
        return; // the whole block
    const Shared<kQueries> shared{queries, scores, maxima, sums, rescales, keys};
    for (int i = threadOf(); i < work.queries * p.pool.headDim; i += threadCount())
        queries[i] =
            p.query[work.offset(p, i / p.pool.headDim) + static_cast<std::size_t>(i % p.pool.headDim)];
    for (int q = threadOf(); q < work.queries; q += threadCount()) {
        maxima[q] = -INFINITY;
        sums[q] = 0;
    }
    if (warpOf() == 0)
        locate(p, work, work.begin, keys);
    __syncthreads(); // queries, maxima, sums and the first tile's keys are there

    float out[kQueries][kDims] = {};
    int turn = 0;
    for (int tile = work.begin; tile < work.end; tile += kKeys, turn ^= 1) {
        score<Element>(p, work, tile, keys + turn * kKeys, shared);
        __syncthreads(); // all scores are there
        weigh(work.queries, shared);
        if (warpOf() == 0)
            locate(p, work, tile + kKeys, keys + (turn ^ 1) * kKeys);
        __syncthreads(); // all weights and rescales are there
        addValues<Element>(p, work, tile, keys + turn * kKeys, shared, out);
        __syncthreads(); // the weights have been read, the next scores may overwrite them
    }
    finish(p, work, shared, out);
}

// grid: (merges, kv heads). Threads work on different dimensions and exchange nothing.
__global__ void mergeItem(const Attention p)
{
    const AttentionMerge merge = p.merges[blockIdx.x];
    AttentionItem item;
    item.row = merge.row;
    item.rows = merge.rows;
    item.firstHead = merge.firstHead;
    item.heads = merge.heads;
    const Work work(p, item, static_cast<int>(blockIdx.y));
    const std::size_t kvHeads = static_cast<std::size_t>(p.pool.kvHeads);
    const std::size_t headDim = static_cast<std::size_t>(p.pool.headDim);
    for (int q = 0; q < work.queries; ++q) {
        const auto partialOf = [&](int part) {
            return static_cast<std::size_t>(merge.partial + part * work.queries + q) * kvHeads + blockIdx.y;
        };
        float greatest = -INFINITY;
        for (int part = 0; part < merge.parts; ++part)
            greatest = fmaxf(greatest, p.partialMaxima[partialOf(part)]);
        float sum = 0;
        for (int part = 0; part < merge.parts; ++part)
            sum += p.partialSums[partialOf(part)] * expf(p.partialMaxima[partialOf(part)] - greatest);
        for (int d = threadOf(); d < p.pool.headDim; d += threadCount()) {
            float value = 0;
            for (int part = 0; part < merge.parts; ++part)
                value += p.partialOut[partialOf(part) * headDim + static_cast<std::size_t>(d)] *
                         expf(p.partialMaxima[partialOf(part)] - greatest);
            p.out[work.offset(p, q) + static_cast<std::size_t>(d)] = value / sum;
        }
    }
}

using Kernel = void (*)(Attention);

/// Blocks as narrow as one warp are for tests: the widest heads then take eight dimensions a thread.
template<class Element, int kQueries>
Kernel kernelFor(int headDim, int threads)
{
    if (headDim <= threads)
        return attendItem<Element, kQueries, 1>;
    if (headDim <= 2 * threads)
        return attendItem<Element, kQueries, 2>;
    return attendItem<Element, kQueries, 8>;
}

template<class Element>
Kernel kernelFor(const Attention& problem, int threads)
{
    constexpr int kFew = 4;
    return problem.itemQueries <= kFew ? kernelFor<Element, kFew>(problem.pool.headDim, threads)
                                       : kernelFor<Element, kMaxQueries>(problem.pool.headDim, threads);
}

} // namespace

Status attention(const Launch& on, const Attention& problem)
{
    const KvPool& pool = problem.pool;
    const Kernel kernel = pool.type == KvType::F16 ? kernelFor<__half>(problem, on.threads)
                                                   : kernelFor<float>(problem, on.threads);
    const std::size_t sharedBytes = static_cast<std::size_t>(problem.itemQueries) *
                                    static_cast<std::size_t>(pool.headDim) * sizeof(float);
    const LaunchShape items{gridOf(problem.itemCount, pool.kvHeads), gridOf(on.threads), sharedBytes};
    const Status status = launch(kernel, items, on.stream, problem);
    if (status != 0 || problem.mergeCount == 0)
        return status;
    return launch(mergeItem, {gridOf(problem.mergeCount, pool.kvHeads), gridOf(on.threads)}, on.stream,
                  problem);
}

} // namespace vitrine::kernels::cuda
