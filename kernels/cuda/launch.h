// SPDX-License-Identifier: GPL-3.0-or-later
// The only header of CUDA's that a kernel file needs. Built by nvcc it is CUDA; built by the host's compiler
// with VITRINE_CUDA_HOST defined it is the shim of host/, and the same kernel runs on the processor.
#pragma once

#if defined(VITRINE_CUDA_HOST)
#include "kernels/cuda/host/cuda_host.h"
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#endif

#include <cstddef>
#include <type_traits>

namespace vitrine::kernels::cuda {

struct LaunchShape {
    dim3 grid;
    dim3 block;
    std::size_t sharedBytes = 0;

    /// A card refuses a grid without blocks; here it is nothing to do.
    [[nodiscard]] bool isEmpty() const { return grid.x == 0 || grid.y == 0 || grid.z == 0; }
};

[[nodiscard]] inline dim3 gridOf(long long x, int y = 1, int z = 1)
{
    return dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
}

/// Blocks of `size` that cover `count`.
[[nodiscard]] constexpr long long blocksFor(long long count, long long size)
{
    return (count + size - 1) / size;
}

} // namespace vitrine::kernels::cuda

#if defined(VITRINE_CUDA_HOST)

#define VITRINE_UNROLL

#define STATIC_SHARED(T, name, count)                                                                        \
    static ::vitrine::cuda_host::StaticShared<T, (count)> name##Storage;                                     \
    T(&name)[count] = name##Storage.values

#define DYNAMIC_SHARED(T, name) T* const name = static_cast<T*>(::vitrine::cuda_host::dynamicShared())

namespace vitrine::kernels::cuda {

template<class... Params>
int launch(void (*kernel)(Params...), const LaunchShape& shape, void*, std::type_identity_t<Params>... args)
{
    if (shape.isEmpty())
        return 0;
    return ::vitrine::cuda_host::launchGrid({shape.grid, shape.block, shape.sharedBytes},
                                            [=] { kernel(args...); });
}

} // namespace vitrine::kernels::cuda

#elif defined(__CUDACC__)

/// Before a loop over an array that must stay in registers.
#define VITRINE_UNROLL _Pragma("unroll")

#define STATIC_SHARED(T, name, count) __shared__ T name[count]

// Templates that differ in T must agree on the extern array's type, hence the bytes.
#define DYNAMIC_SHARED(T, name)                                                                              \
    extern __shared__ __align__(16) unsigned char dynamicSharedBytes[];                                      \
    T* const name = reinterpret_cast<T*>(dynamicSharedBytes)

namespace vitrine::kernels::cuda {

template<class... Params>
int launch(void (*kernel)(Params...), const LaunchShape& shape, void* stream,
           std::type_identity_t<Params>... args)
{
    if (shape.isEmpty())
        return 0;
    cudaLaunchConfig_t config{};
    config.gridDim = shape.grid;
    config.blockDim = shape.block;
    config.dynamicSmemBytes = shape.sharedBytes;
    config.stream = static_cast<cudaStream_t>(stream);
    return cudaLaunchKernelEx(&config, kernel, args...);
}

} // namespace vitrine::kernels::cuda

#endif
