// SPDX-License-Identifier: GPL-3.0-or-later
// The greatest values of a row. A block of threads works on one chunk of it: each thread keeps the best of
// its own share, the block chooses among these, and only the thread whose candidate was chosen looks again.
#include "kernels/cuda/candidate.h"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

/// The best finite value of the thread's share that is beaten by `previous`, or by nothing where there is
/// none yet.
__device__ __forceinline__ Candidate bestOfShare(const float* values, const std::int32_t* ids, int begin,
                                                 int end, const Candidate& previous)
{
    Candidate best{-INFINITY, -1};
    for (int c = begin + threadOf(); c < end; c += threadCount()) {
        const Candidate candidate{values[c], ids ? ids[c] : c};
        if (isfinite(candidate.value) && (previous.index < 0 || previous.beats(candidate)) &&
            candidate.beats(best))
            best = candidate;
    }
    return best;
}

// grid: (rows, chunks)
__global__ void topKOfChunk(const TopK p)
{
    STATIC_SHARED(float, values, kMaxWarps);
    STATIC_SHARED(int, indices, kMaxWarps);
    const std::size_t columns = static_cast<std::size_t>(p.columns);
    const float* const row = p.in + blockIdx.x * columns;
    const std::int32_t* const ids = p.inIds ? p.inIds + blockIdx.x * columns : nullptr;
    const int begin = static_cast<int>(blockIdx.y) * p.chunk;
    const int end = min(begin + p.chunk, p.columns);
    const std::size_t out =
        (blockIdx.x * static_cast<std::size_t>(gridDim.y) + blockIdx.y) * static_cast<std::size_t>(p.k);
    Candidate mine = bestOfShare(row, ids, begin, end, {0, -1});
    for (int i = 0; i < p.k; ++i) {
        const Candidate ofWarp = warpBest(mine);
        if (laneOf() == 0) {
            values[warpOf()] = ofWarp.value;
            indices[warpOf()] = ofWarp.index;
        }
        __syncthreads(); // every warp's best is there
        const bool exists = laneOf() < warpCount();
        const Candidate best =
            warpBest({exists ? values[laneOf()] : -INFINITY, exists ? indices[laneOf()] : -1});
        if (threadOf() == 0) {
            p.values[out + static_cast<std::size_t>(i)] = best.value;
            p.ids[out + static_cast<std::size_t>(i)] = best.index;
        }
        if (best.index >= 0 && best.index == mine.index)
            mine = bestOfShare(row, ids, begin, end, best);
        __syncthreads(); // the next round overwrites them
    }
}

} // namespace

Status topK(const Launch& on, const TopK& problem)
{
    const dim3 grid = gridOf(problem.rows, static_cast<int>(blocksFor(problem.columns, problem.chunk)));
    return launch(topKOfChunk, {grid, gridOf(on.threads)}, on.stream, problem);
}

} // namespace vitrine::kernels::cuda
