// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/kv_layout.h"

#include <cstddef>

namespace vitrine::kernels::cuda {

/// [block][layer of a group][kv_head][K, V][slot][head_dim]: a block of a group of layers is one piece, which
/// copies and poison want; threads side by side read elements side by side. Element counts, not bytes.
struct KvPool {
    void* data = nullptr; ///< 16-byte aligned
    KvType type = KvType::F16;
    int kvHeads = 0;
    int headDim = 0; ///< a multiple of 8, at most kMaxHeadDim
    int blockSize = 0;
    int layers = 0;

    [[nodiscard]] constexpr std::size_t elementBytes() const { return type == KvType::F16 ? 2 : 4; }
    /// From a head's keys to its values.
    [[nodiscard]] constexpr std::size_t valueOffset() const
    {
        return static_cast<std::size_t>(blockSize) * static_cast<std::size_t>(headDim);
    }
    [[nodiscard]] constexpr std::size_t layerStride() const
    {
        return 2 * valueOffset() * static_cast<std::size_t>(kvHeads);
    }
    [[nodiscard]] constexpr std::size_t blockStride() const
    {
        return layerStride() * static_cast<std::size_t>(layers);
    }
    [[nodiscard]] constexpr std::size_t blockBytes() const { return blockStride() * elementBytes(); }
    /// Of one key; its value lies valueOffset() behind.
    [[nodiscard]] constexpr std::size_t keyAt(std::size_t block, int layer, int kvHead, int slot) const
    {
        return block * blockStride() + static_cast<std::size_t>(layer) * layerStride() +
               2 * valueOffset() * static_cast<std::size_t>(kvHead) +
               static_cast<std::size_t>(slot) * static_cast<std::size_t>(headDim);
    }
};

} // namespace vitrine::kernels::cuda
