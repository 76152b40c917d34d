// SPDX-License-Identifier: GPL-3.0-or-later
// A block of threads works on one row. It reads its row twice, the second time from the cache: rows of any
// length fit.
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

__device__ __forceinline__ float inverseRms(const float* row, int columns, float epsilon, float* scratch)
{
    float squares = 0;
    for (int c = threadOf(); c < columns; c += threadCount())
        squares += row[c] * row[c];
    return rsqrtf(blockSum(squares, scratch) / static_cast<float>(columns) + epsilon);
}

__global__ void rmsNormRow(const RmsNorm p)
{
    STATIC_SHARED(float, scratch, kMaxWarps);
    const std::size_t columns = static_cast<std::size_t>(p.columns);
    const std::size_t row = p.rowNumbers ? static_cast<std::size_t>(p.rowNumbers[blockIdx.x]) : blockIdx.x;
    const float* const in = p.in + row * columns;
    float* const out = p.out + blockIdx.x * columns;
    const float inverse = p.weight ? inverseRms(in, p.columns, p.epsilon, scratch) : 1.0F;
    // In place, too: a thread reads again only what it writes itself.
    for (int c = threadOf(); c < p.columns; c += threadCount())
        out[c] = p.weight ? in[c] * inverse * p.weight[c] : in[c];
}

__global__ void addToResidualRow(const AddToResidual p)
{
    STATIC_SHARED(float, scratch, kMaxWarps);
    const std::size_t begin = blockIdx.x * static_cast<std::size_t>(p.columns);
    float* const residual = p.residual + begin;
    float* const branch = p.branch + begin;
    if (p.bias)
        for (int c = threadOf(); c < p.columns; c += threadCount())
            branch[c] += p.bias[c];
    const float inverse = p.weight ? inverseRms(branch, p.columns, p.epsilon, scratch) : 1.0F;
    for (int c = threadOf(); c < p.columns; c += threadCount())
        residual[c] += p.scale * (p.weight ? branch[c] * inverse * p.weight[c] : branch[c]);
}

__global__ void addBiasRow(const AddBias p)
{
    float* const values = p.values + blockIdx.x * static_cast<std::size_t>(p.columns);
    for (int c = threadOf(); c < p.columns; c += threadCount())
        values[c] += p.bias[c];
}

} // namespace

Status rmsNorm(const Launch& on, const RmsNorm& problem)
{
    return launch(rmsNormRow, {gridOf(problem.rows), gridOf(on.threads)}, on.stream, problem);
}

Status addToResidual(const Launch& on, const AddToResidual& problem)
{
    return launch(addToResidualRow, {gridOf(problem.rows), gridOf(on.threads)}, on.stream, problem);
}

Status addBias(const Launch& on, const AddBias& problem)
{
    return launch(addBiasRow, {gridOf(problem.rows), gridOf(on.threads)}, on.stream, problem);
}

} // namespace vitrine::kernels::cuda
