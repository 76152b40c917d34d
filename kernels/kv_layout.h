// SPDX-License-Identifier: GPL-3.0-or-later
// How K and V lie in memory. Only storeKv and attention look inside a block; the engine moves and copies
// whole blocks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::kernels {

inline constexpr std::size_t kMaxHeadDim = 256;

enum class KvType : std::uint8_t { F16, F32 };

/// K: [block][kv_head][head_dim][slot]. V: [block][kv_head][slot][head_dim]. Elements of `type`.
/// K is transposed inside its block: a vector of 16 keys meets one broadcast query element, so that no sum
/// runs across a register and a score has the same bits whatever the block size, the vector width or the
/// number of rows.
struct KvLayout {
    KvType type = KvType::F16;
    std::size_t kvHeads = 0;
    std::size_t headDim = 0;     ///< a multiple of 8, at most kMaxHeadDim
    std::size_t blockSize = 0;   ///< slots a block, any; multiples of 16 are the fast ones
    std::size_t headStride = 0;  ///< elements from one head's K (or V) to the next; 0: they lie side by side
    std::size_t blockStride = 0; ///< elements from one block to the next; 0: they lie side by side

    [[nodiscard]] constexpr std::size_t elementBytes() const noexcept { return type == KvType::F16 ? 2 : 4; }
    /// K or V of one block and one layer.
    [[nodiscard]] constexpr std::size_t blockElements() const noexcept
    {
        return kvHeads * headDim * blockSize;
    }
    [[nodiscard]] constexpr std::size_t blockBytes() const noexcept
    {
        return blockElements() * elementBytes();
    }
    /// First element of a head's K or V in a block.
    [[nodiscard]] constexpr std::size_t headStart(std::size_t block, std::size_t kvHead) const noexcept
    {
        const std::size_t stride = blockStride > 0 ? blockStride : blockElements();
        return block * stride + kvHead * (headStride > 0 ? headStride : headDim * blockSize);
    }
};

/// One layer's memory: the first block's K and V, 64-byte aligned.
struct KvMemory {
    std::byte* keys = nullptr;
    std::byte* values = nullptr;
};

/// Writes one token's K and V, (kvHeads * headDim) each, into slot = block * blockSize + offset.
/// F16 rounds to nearest even.
void storeKv(const KvLayout& layout, KvMemory memory, std::int64_t slot, std::span<const float> key,
             std::span<const float> value);

} // namespace vitrine::kernels
