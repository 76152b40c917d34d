// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {

/// One value of many with its number: the greater goes first, the lower number among equals.
struct Candidate {
    float value;
    int index; ///< -1: none

    [[nodiscard]] __device__ bool beats(const Candidate& other) const
    {
        if (index < 0 || other.index < 0)
            return index >= 0;
        return value > other.value || (value == other.value && index < other.index);
    }
};

__device__ __forceinline__ Candidate warpBest(Candidate best)
{
    for (int step = kWarp / 2; step > 0; step /= 2) {
        const Candidate other{__shfl_xor_sync(kFullMask, best.value, step),
                              __shfl_xor_sync(kFullMask, best.index, step)};
        if (other.beats(best))
            best = other;
    }
    return best;
}

} // namespace vitrine::kernels::cuda
