// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and maxima over a warp and over a block.
#pragma once
#include "kernels/cuda/launch.h"

namespace vitrine::kernels::cuda {

inline constexpr unsigned kFullMask = 0xffff'ffffU;
inline constexpr int kWarp = 32;
/// Warps of the largest block.
inline constexpr int kMaxWarps = 32;

__device__ __forceinline__ int threadOf()
{
    return static_cast<int>(threadIdx.x);
}
__device__ __forceinline__ int threadCount()
{
    return static_cast<int>(blockDim.x);
}
__device__ __forceinline__ int laneOf()
{
    return threadOf() % kWarp;
}
__device__ __forceinline__ int warpOf()
{
    return threadOf() / kWarp;
}
__device__ __forceinline__ int warpCount()
{
    return threadCount() / kWarp;
}

/// Over aligned groups of `kLanes` lanes; every lane of a group gets the result.
template<int kLanes = kWarp>
__device__ __forceinline__ float groupSum(float value)
{
    for (int step = kLanes / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(kFullMask, value, step);
    return value;
}

__device__ __forceinline__ float warpMax(float value)
{
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = fmaxf(value, __shfl_xor_sync(kFullMask, value, step));
    return value;
}

/// Every thread of the block gets the sum. `scratch` holds kMaxWarps floats and may be used again only after
/// another barrier.
__device__ __forceinline__ float blockSum(float value, float* scratch)
{
    value = groupSum(value);
    if (laneOf() == 0)
        scratch[warpOf()] = value;
    __syncthreads(); // all warps' sums are there
    return groupSum(laneOf() < warpCount() ? scratch[laneOf()] : 0.0F);
}

} // namespace vitrine::kernels::cuda
