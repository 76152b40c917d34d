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
    std::size_t headStride = 0;  ///< elements from one head's K (or V) to the next
    std::size_t blockStride = 0; ///< elements from one block to the next

    /// One layer, K and V in an array each: heads and blocks lie side by side.
    [[nodiscard]] static constexpr KvLayout apart(KvType type, std::size_t kvHeads, std::size_t headDim,
                                                  std::size_t blockSize) noexcept
    {
        const std::size_t head = headDim * blockSize;
        return {type, kvHeads, headDim, blockSize, head, kvHeads * head};
    }
    /// [block][layer][kv_head][K, V].
    [[nodiscard]] static constexpr KvLayout together(KvType type, std::size_t kvHeads, std::size_t headDim,
                                                     std::size_t blockSize, std::size_t layers) noexcept
    {
        const std::size_t head = 2 * headDim * blockSize;
        return {type, kvHeads, headDim, blockSize, head, layers * kvHeads * head};
    }

    [[nodiscard]] constexpr std::size_t elementBytes() const noexcept { return type == KvType::F16 ? 2 : 4; }
    /// First element of a head's K or V in a block.
    [[nodiscard]] constexpr std::size_t headStart(std::size_t block, std::size_t kvHead) const noexcept
    {
        return block * blockStride + kvHead * headStride;
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
