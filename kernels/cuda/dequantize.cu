// SPDX-License-Identifier: GPL-3.0-or-later
// Weights as floats: whole tiles for cuBLAS, single rows of the embedding. A thread works on one quad.
#include "kernels/cuda/formats.h"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

/// Writes a row, times `scale`; the block shares its quads.
template<class Format, class Element>
__device__ __forceinline__ void decodeRow(const format::Row<Format>& row, float scale, Element* out)
{
    for (int i = threadOf(); i < row.parts() * format::kQuads; i += threadCount()) {
        const int part = i / format::kQuads;
        const int quad = i % format::kQuads;
        float values[format::kQuadColumns];
        row.decode(part, quad, values);
        for (int v = 0; v < format::kQuadColumns; ++v)
            out[part * format::kPartColumns + format::columnOf(quad, v)] =
                narrowed<Element>(scale * values[v]);
    }
    for (int c = row.parts() * format::kPartColumns + threadOf(); c < row.columns; c += threadCount())
        out[c] = narrowed<Element>(scale * row.at(c));
}

template<class Format, class Element>
__global__ void dequantizeRow(const Dequantize p)
{
    const std::size_t columns = static_cast<std::size_t>(p.weights.columns);
    const std::size_t row = static_cast<std::size_t>(p.firstRow) + blockIdx.x;
    decodeRow(format::Row<Format>(p.weights.data, row, p.weights.columns), 1.0F,
              static_cast<Element*>(p.out) + blockIdx.x * columns);
}

template<class Format>
__global__ void embedToken(const Embed p)
{
    const std::size_t columns = static_cast<std::size_t>(p.table.columns);
    const std::size_t token = static_cast<std::size_t>(p.tokens[blockIdx.x]);
    decodeRow(format::Row<Format>(p.table.data, token, p.table.columns), p.scale,
              p.out + blockIdx.x * columns);
}

} // namespace

Status dequantize(const Launch& on, const Dequantize& problem)
{
    return format::withFormat(problem.weights.type, [&](auto type) {
        using Format = decltype(type);
        const auto kernel = problem.to == NarrowType::F16 ? dequantizeRow<Format, __half>
                                                          : dequantizeRow<Format, __nv_bfloat16>;
        return launch(kernel, {gridOf(problem.rows), gridOf(on.threads)}, on.stream, problem);
    });
}

Status embed(const Launch& on, const Embed& problem)
{
    return format::withFormat(problem.table.type, [&](auto type) {
        return launch(embedToken<decltype(type)>, {gridOf(problem.count), gridOf(on.threads)}, on.stream,
                      problem);
    });
}

} // namespace vitrine::kernels::cuda
