// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary position embedding (arXiv:2104.09864), and all else between the products and attention. A block of
// threads works on one head of one token.
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/narrow.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

constexpr int kMaxDim = static_cast<int>(kMaxHeadDim);

__global__ void anglesOfToken(const RopeAngles p)
{
    const std::size_t begin = blockIdx.x * static_cast<std::size_t>(p.pairs);
    const double position = p.positions[blockIdx.x];
    for (int i = threadOf(); i < p.pairs; i += threadCount()) {
        const double angle = position * p.frequencies[i];
        p.cosines[begin + i] = static_cast<float>(cos(angle) * p.magnitude);
        p.sines[begin + i] = static_cast<float>(sin(angle) * p.magnitude);
    }
}

/// What a head of q, k or v goes through.
struct Head {
    const float* in;
    const float* bias;
    const float* norm;
};

/// Fills `head`, bias and norm included. Ends without a barrier.
__device__ __forceinline__ void loadHead(const Head& from, int headDim, float epsilon, float* head,
                                         float* scratch)
{
    float squares = 0;
    for (int d = threadOf(); d < headDim; d += threadCount()) {
        const float value = from.in[d] + (from.bias ? from.bias[d] : 0.0F);
        head[d] = value;
        squares += value * value;
    }
    if (!from.norm)
        return;
    const float inverse = rsqrtf(blockSum(squares, scratch) / static_cast<float>(headDim) + epsilon);
    for (int d = threadOf(); d < headDim; d += threadCount())
        head[d] *= inverse * from.norm[d];
}

/// Element d of the rotated head.
__device__ __forceinline__ float rotated(const FinishQkv& p, const float* head, int token, int d)
{
    if (d >= 2 * p.pairs)
        return head[d];
    const int pair = p.interleaved ? d / 2 : d % p.pairs;
    const bool isFirst = p.interleaved ? d % 2 == 0 : d < p.pairs;
    const int first = p.interleaved ? 2 * pair : pair;
    const int second = p.interleaved ? first + 1 : pair + p.pairs;
    const std::size_t angle =
        static_cast<std::size_t>(token) * static_cast<std::size_t>(p.pairs) + static_cast<std::size_t>(pair);
    const float cosine = p.cosines[angle];
    const float sine = p.sines[angle];
    return isFirst ? head[first] * cosine - head[second] * sine : head[first] * sine + head[second] * cosine;
}

template<class Element>
__device__ __forceinline__ Element* slotOf(const FinishQkv& p, int token, int kvHead, bool isValue)
{
    const std::int64_t slot =
        p.slotMapping[static_cast<std::size_t>(token) * static_cast<std::size_t>(p.slotStride)];
    const std::size_t key = p.pool.keyAt(static_cast<std::size_t>(slot / p.pool.blockSize), p.layer, kvHead,
                                         static_cast<int>(slot % p.pool.blockSize));
    return static_cast<Element*>(p.pool.data) + key + (isValue ? p.pool.valueOffset() : 0);
}

// grid: (tokens, query heads, then those of keys, then those of values)
template<class Element>
__global__ void finishHead(const FinishQkv p)
{
    STATIC_SHARED(float, head, kMaxDim);
    STATIC_SHARED(float, scratch, kMaxWarps);
    const int headDim = p.pool.headDim;
    const int token = static_cast<int>(blockIdx.x);
    const int index = static_cast<int>(blockIdx.y);
    const bool isQuery = index < p.heads;
    const bool isValue = index >= p.heads + p.pool.kvHeads;
    const int kvHead = isValue ? index - p.heads - p.pool.kvHeads : index - p.heads;
    const int ownHead = isQuery ? index : kvHead;
    const std::size_t offset = static_cast<std::size_t>(ownHead) * static_cast<std::size_t>(headDim);
    const std::size_t row = static_cast<std::size_t>(token) *
                            static_cast<std::size_t>(isQuery ? p.heads : p.pool.kvHeads) *
                            static_cast<std::size_t>(headDim);
    const float* const in = (isQuery ? p.query : isValue ? p.value : p.key) + row + offset;
    const float* const bias = isQuery ? p.queryBias : isValue ? p.valueBias : p.keyBias;
    const float* const norm = isQuery ? p.queryNorm : isValue ? nullptr : p.keyNorm;
    loadHead({in, bias ? bias + offset : nullptr, norm}, headDim, p.epsilon, head, scratch);
    __syncthreads(); // the head is complete: a pair may be two threads' work
    const bool rotates = p.cosines != nullptr && !isValue;
    for (int d = threadOf(); d < headDim; d += threadCount()) {
        const float value = rotates ? rotated(p, head, token, d) : head[d];
        if (isQuery)
            p.query[row + offset + static_cast<std::size_t>(d)] = value;
        else
            slotOf<Element>(p, token, kvHead, isValue)[d] = narrowed<Element>(value);
    }
}

} // namespace

Status ropeAngles(const Launch& on, const RopeAngles& problem)
{
    return launch(anglesOfToken, {gridOf(problem.tokens), gridOf(on.threads)}, on.stream, problem);
}

Status finishQkv(const Launch& on, const FinishQkv& problem)
{
    const auto kernel = problem.pool.type == KvType::F16 ? finishHead<__half> : finishHead<float>;
    const dim3 grid = gridOf(problem.tokens, problem.heads + 2 * problem.pool.kvHeads);
    return launch(kernel, {grid, gridOf(on.threads)}, on.stream, problem);
}

} // namespace vitrine::kernels::cuda
