// SPDX-License-Identifier: GPL-3.0-or-later
// 16-bit floats from and to float.
#pragma once
#include "kernels/cuda/launch.h"

namespace vitrine::kernels::cuda {

__device__ __forceinline__ float widened(float value)
{
    return value;
}
__device__ __forceinline__ float widened(__half value)
{
    return __half2float(value);
}
__device__ __forceinline__ float widened(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}

/// To nearest; beyond the range of __half its greatest: one infinity would spoil a whole sum. NaN stays.
template<class Element>
__device__ __forceinline__ Element narrowed(float value)
{
    if constexpr (std::is_same_v<Element, __nv_bfloat16>) {
        return __float2bfloat16(value);
    } else if constexpr (std::is_same_v<Element, __half>) {
        constexpr float kGreatest = 65504;
        return __float2half(value > kGreatest ? kGreatest : value < -kGreatest ? -kGreatest : value);
    } else {
        return value;
    }
}

} // namespace vitrine::kernels::cuda
