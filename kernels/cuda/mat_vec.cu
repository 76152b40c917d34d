// SPDX-License-Identifier: GPL-3.0-or-later
// Products with few inputs, which wait for the weights: a warp reads one row of them once, each lane eight
// columns at a time, and multiplies them with up to kMatVecInputs inputs in float.
#include "kernels/cuda/formats.h"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

/// Four floats that are read at once.
struct alignas(16) Four {
    float values[4];
};

/// Adds the products of one row with each input to the lane's sums.
template<class Format, int kInputs>
__device__ __forceinline__ void addProducts(const format::Row<Format>& row, const float* in,
                                            float (&sums)[kInputs])
{
    const std::size_t columns = static_cast<std::size_t>(row.columns);
    const int quad = laneOf() % format::kQuads;
    for (int part = laneOf() / format::kQuads; part < row.parts(); part += kWarp / format::kQuads) {
        float weights[format::kQuadColumns];
        row.decode(part, quad, weights);
        const float* const first = in + part * format::kPartColumns + 4 * quad;
        for (int n = 0; n < kInputs; ++n)
            for (int half = 0; half < 2; ++half) {
                const Four x =
                    *reinterpret_cast<const Four*>(first + static_cast<std::size_t>(n) * columns + 16 * half);
                for (int i = 0; i < 4; ++i)
                    sums[n] += weights[4 * half + i] * x.values[i];
            }
    }
    for (int c = row.parts() * format::kPartColumns + laneOf(); c < row.columns; c += kWarp)
        for (int n = 0; n < kInputs; ++n)
            sums[n] += row.at(c) * in[static_cast<std::size_t>(n) * columns + static_cast<std::size_t>(c)];
}

template<class Format, int kInputs>
__global__ void multiplyRow(const MatVec p)
{
    const int row = static_cast<int>(blockIdx.x) * warpCount() + warpOf();
    if (row >= p.weights.rows)
        return; // a whole warp, and no barrier follows
    float sums[kInputs] = {};
    addProducts(format::Row<Format>(p.weights.data, static_cast<std::size_t>(row), p.weights.columns), p.in,
                sums);
    for (int n = 0; n < kInputs; ++n) {
        const float sum = groupSum(sums[n]);
        float& out = p.out[static_cast<std::size_t>(n) * static_cast<std::size_t>(p.weights.rows) +
                           static_cast<std::size_t>(row)];
        if (laneOf() == 0)
            out = p.add ? out + sum : sum;
    }
}

// grid: (rows / warps, visits)
template<class Format>
__global__ void multiplyChosenRow(const ChosenMatVec p)
{
    const int row = static_cast<int>(blockIdx.x) * warpCount() + warpOf();
    if (row >= p.weights.rows)
        return; // a whole warp, and no barrier follows
    const std::size_t rows = static_cast<std::size_t>(p.weights.rows);
    const std::size_t visit = blockIdx.y;
    const std::size_t matrix = static_cast<std::size_t>(p.choice[visit]);
    const float* const in =
        p.in + visit / static_cast<std::size_t>(p.share) * static_cast<std::size_t>(p.weights.columns);
    float sums[1] = {};
    addProducts(
        format::Row<Format>(p.weights.data, matrix * rows + static_cast<std::size_t>(row), p.weights.columns),
        in, sums);
    const float sum = groupSum(sums[0]);
    if (laneOf() == 0)
        p.out[visit * rows + static_cast<std::size_t>(row)] = sum;
}

template<class Format>
auto kernelFor(int inputs)
{
    switch (inputs) {
    case 1:
        return multiplyRow<Format, 1>;
    case 2:
        return multiplyRow<Format, 2>;
    case 3:
        return multiplyRow<Format, 3>;
    case 4:
        return multiplyRow<Format, 4>;
    case 5:
        return multiplyRow<Format, 5>;
    case 6:
        return multiplyRow<Format, 6>;
    case 7:
        return multiplyRow<Format, 7>;
    default:
        return multiplyRow<Format, 8>;
    }
}

dim3 gridForRows(const Launch& on, int rows, int visits)
{
    return gridOf(blocksFor(rows, on.threads / kWarp), visits);
}

} // namespace

Status matVec(const Launch& on, const MatVec& problem)
{
    MatVec part = problem;
    for (int first = 0; first < problem.inputs; first += kMatVecInputs) {
        part.inputs = min(problem.inputs - first, kMatVecInputs);
        const Status status = format::withFormat(part.weights.type, [&](auto type) {
            return launch(kernelFor<decltype(type)>(part.inputs),
                          {gridForRows(on, part.weights.rows, 1), gridOf(on.threads)}, on.stream, part);
        });
        if (status != 0)
            return status;
        part.in += static_cast<std::size_t>(part.inputs) * static_cast<std::size_t>(part.weights.columns);
        part.out += static_cast<std::size_t>(part.inputs) * static_cast<std::size_t>(part.weights.rows);
    }
    return 0;
}

Status chosenMatVec(const Launch& on, const ChosenMatVec& problem)
{
    constexpr int kMaxGridY = 65535;
    ChosenMatVec part = problem;
    for (int first = 0; first < problem.visits; first += part.visits) {
        // Parts begin where a row of inputs does.
        part.visits = min(problem.visits - first, kMaxGridY / problem.share * problem.share);
        const Status status = format::withFormat(part.weights.type, [&](auto type) {
            return launch(multiplyChosenRow<decltype(type)>,
                          {gridForRows(on, part.weights.rows, part.visits), gridOf(on.threads)}, on.stream,
                          part);
        });
        if (status != 0)
            return status;
        part.choice += part.visits;
        part.in += static_cast<std::size_t>(part.visits / problem.share) *
                   static_cast<std::size_t>(part.weights.columns);
        part.out += static_cast<std::size_t>(part.visits) * static_cast<std::size_t>(part.weights.rows);
    }
    return 0;
}

} // namespace vitrine::kernels::cuda
