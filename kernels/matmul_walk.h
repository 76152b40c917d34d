// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which a matrix product walks over its tiles, and what becomes of a tile's result.
#pragma once
#include "kernels/matmul_backend.h"

#include <algorithm>

namespace vitrine::kernels {

/// A tile's result: up to 8 activation rows × 16 weight rows.
struct alignas(64) MatmulTile {
    float values[ActivationBlock::kRows][PackedMatrix::kGroupRows];
};

/// Writes or adds a tile to rows × columns of `out`; both may be fewer than the tile has.
inline void writeTile(const MatmulTile& tile, std::size_t rows, std::size_t columns, bool accumulate,
                      float* out, std::size_t outStride)
{
    for (std::size_t j = 0; j < rows; ++j, out += outStride) {
        if (!accumulate)
            std::copy_n(tile.values[j], columns, out);
        else
            for (std::size_t r = 0; r < columns; ++r)
                out[r] += tile.values[j][r];
    }
}

/// Weights that stay in the second-level cache while all activation rows pass: half of the smallest one
/// around.
inline constexpr std::size_t kCachedWeightBytes = 128 * 1024;

/// Walks over blocks of weight groups, all panels of activations, the groups of the block.
template<class RunTile>
void walkTiles(const MatmulJob& job, RunTile&& runTile)
{
    constexpr std::size_t kGroup = PackedMatrix::kGroupRows;
    const std::size_t step = kGroup * std::max<std::size_t>(1, kCachedWeightBytes / job.weights.groupBytes());
    for (std::size_t begin = job.rows.begin; begin < job.rows.end; begin += step) {
        const std::size_t end = std::min(begin + step, job.rows.end);
        for (std::size_t first = 0; first < job.activations.rows; first += ActivationBlock::kRows)
            for (std::size_t row = begin; row < end; row += kGroup) {
                const std::size_t rows = std::min(job.activations.rows - first, ActivationBlock::kRows);
                MatmulTile tile;
                runTile(row / kGroup, first, rows, tile);
                writeTile(tile, rows, std::min(kGroup, end - row), job.accumulate,
                          job.out + first * job.outStride + row, job.outStride);
            }
    }
}

} // namespace vitrine::kernels
