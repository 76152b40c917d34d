// SPDX-License-Identifier: GPL-3.0-or-later
// A thread works on one element.
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/narrow.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

__device__ __forceinline__ std::size_t elementOf()
{
    return blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
}

__device__ __forceinline__ float silu(float x)
{
    return x / (1 + expf(-x));
}

__device__ __forceinline__ float geluTanh(float x)
{
    constexpr float kRootOf2OverPi = 0.797884561F;
    return x / 2 * (1 + tanhf(kRootOf2OverPi * (x + 0.044715F * x * x * x)));
}

__global__ void gateElements(const Gate p)
{
    const std::size_t i = elementOf();
    if (i < p.count)
        p.gate[i] = (p.kind == GateKind::Silu ? silu(p.gate[i]) : geluTanh(p.gate[i])) * p.up[i];
}

__global__ void scaleAndCapElements(const ScaleAndCap p)
{
    const std::size_t i = elementOf();
    if (i >= p.count)
        return;
    const float scaled = p.scale * p.values[i];
    p.values[i] = p.cap > 0 ? p.cap * tanhf(scaled / p.cap) : scaled;
}

template<class Element>
__global__ void narrowElements(const Narrow p)
{
    const std::size_t i = elementOf();
    if (i < p.count)
        static_cast<Element*>(p.out)[i] = narrowed<Element>(p.scale * p.in[i]);
}

LaunchShape elementwise(const Launch& on, std::size_t count)
{
    return {gridOf(blocksFor(static_cast<long long>(count), on.threads)), gridOf(on.threads)};
}

} // namespace

Status applyGate(const Launch& on, const Gate& problem)
{
    return launch(gateElements, elementwise(on, problem.count), on.stream, problem);
}

Status scaleAndCap(const Launch& on, const ScaleAndCap& problem)
{
    return launch(scaleAndCapElements, elementwise(on, problem.count), on.stream, problem);
}

Status narrow(const Launch& on, const Narrow& problem)
{
    const auto kernel =
        problem.to == NarrowType::F16 ? narrowElements<__half> : narrowElements<__nv_bfloat16>;
    return launch(kernel, elementwise(on, problem.count), on.stream, problem);
}

} // namespace vitrine::kernels::cuda
