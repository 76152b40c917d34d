// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/matmul_float.h"

#include "kernels/matmul_tiles.h"

namespace vitrine::kernels {
namespace {

float weightAt(TensorType type, const std::byte* group, std::size_t index)
{
    if (type == TensorType::F32) {
        float value;
        std::memcpy(&value, group + 4 * index, sizeof value);
        return value;
    }
    std::uint16_t bits;
    std::memcpy(&bits, group + 2 * index, sizeof bits);
    return type == TensorType::F16 ? halfToFloat(bits) : bfloatToFloat(bits);
}

} // namespace

void matmulFloat(const MatmulJob& job)
{
    walkTiles(job, [&](std::size_t group, std::size_t firstRow, std::size_t rows, MatmulTile& tile) {
        for (std::size_t j = 0; j < rows; ++j)
            std::fill_n(tile.values[j], format::kRows, 0.0F);
        for (std::size_t c = 0; c < job.weights.columns(); ++c)
            for (std::size_t r = 0; r < format::kRows; ++r) {
                const float weight =
                    weightAt(job.weights.type(), job.weights.group(group), c * format::kRows + r);
                for (std::size_t j = 0; j < rows; ++j)
                    tile.values[j][r] +=
                        weight * job.activations.values[(firstRow + j) * job.activations.stride + c];
            }
    });
}

} // namespace vitrine::kernels
