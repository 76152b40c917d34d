// SPDX-License-Identifier: GPL-3.0-or-later
// Which experts a token asks, and the sum of their answers.
#include "kernels/cuda/candidate.h"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

/// The best of the logits that come after `previous` in the order of Candidate::beats. A logit that is NaN is
/// the last of all.
__device__ __forceinline__ Candidate bestAfter(const float* logits, int count, const Candidate& previous)
{
    Candidate best{0, -1};
    for (int e = laneOf(); e < count; e += kWarp) {
        const Candidate candidate{logits[e] == logits[e] ? logits[e] : -INFINITY, e};
        if ((previous.index < 0 || previous.beats(candidate)) && candidate.beats(best))
            best = candidate;
    }
    return warpBest(best);
}

// A warp works on one row.
__global__ void chooseExpertsOfRow(const ChooseExperts p)
{
    const int row = static_cast<int>(blockIdx.x) * warpCount() + warpOf();
    if (row >= p.rows)
        return; // a whole warp, and no barrier follows
    const float* const logits =
        p.logits + static_cast<std::size_t>(row) * static_cast<std::size_t>(p.experts);
    const std::size_t first = static_cast<std::size_t>(row) * static_cast<std::size_t>(p.used);
    Candidate chosen{0, -1};
    Candidate mine{0, -1}; // lane i keeps the i-th
    for (int i = 0; i < p.used; ++i) {
        chosen = bestAfter(logits, p.experts, chosen);
        if (laneOf() == i)
            mine = chosen;
    }
    const float greatest = __shfl_sync(kFullMask, mine.value, 0);
    const float weight = mine.index >= 0 ? expf(mine.value - greatest) : 0.0F;
    float sum = weight;
    if (!p.normalize) {
        sum = 0;
        for (int e = laneOf(); e < p.experts; e += kWarp)
            sum += expf(logits[e] - greatest);
    }
    sum = groupSum(sum);
    if (laneOf() < p.used) {
        p.choice[first + static_cast<std::size_t>(laneOf())] = mine.index;
        p.weights[first + static_cast<std::size_t>(laneOf())] = weight / sum;
    }
}

__global__ void sumExpertsOfRow(const SumExperts p)
{
    const std::size_t columns = static_cast<std::size_t>(p.columns);
    const std::size_t first = blockIdx.x * static_cast<std::size_t>(p.used);
    for (int c = threadOf(); c < p.columns; c += threadCount()) {
        float sum = 0;
        for (std::size_t v = first; v < first + static_cast<std::size_t>(p.used); ++v)
            sum += p.weights[v] * p.in[v * columns + static_cast<std::size_t>(c)];
        p.out[blockIdx.x * columns + static_cast<std::size_t>(c)] = sum;
    }
}

} // namespace

Status chooseExperts(const Launch& on, const ChooseExperts& problem)
{
    const dim3 grid = gridOf(blocksFor(problem.rows, on.threads / kWarp));
    return launch(chooseExpertsOfRow, {grid, gridOf(on.threads)}, on.stream, problem);
}

Status sumExperts(const Launch& on, const SumExperts& problem)
{
    return launch(sumExpertsOfRow, {gridOf(problem.rows), gridOf(on.threads)}, on.stream, problem);
}

} // namespace vitrine::kernels::cuda
