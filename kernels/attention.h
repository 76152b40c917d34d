// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/kv_layout.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::kernels {

struct AttentionShape {
    KvLayout layout;
    std::size_t heads = 0;  ///< query heads; heads / kvHeads of them share one kv head
    float scale = 1;        ///< of the scores, usually 1 / sqrt(headDim)
    std::size_t window = 0; ///< keys that a row sees, its own and those before it; 0: all
    float softCap = 0;      ///< scaled scores s become softCap * tanh(s / softCap); 0: they stay
};

/// One work item: some consecutive tokens of one sequence, for all query heads of one kv head.
/// K and V of every position that a row sees are in the cache already; blocks before all rows' windows may
/// hold anything.
struct AttentionItem {
    std::span<const std::uint32_t>
        blockTable; ///< the sequence's blocks; position p is in blockTable[p / blockSize]
    std::size_t kvHead = 0;
    std::size_t firstPosition = 0; ///< row t sees the keys up to firstPosition + t, within the window
    std::size_t rows = 0;
    const float* queries =
        nullptr; ///< of row 0, head 0; row t, head h at queries[t * queryStride + h * headDim]
    std::size_t queryStride = 0;
    float* out = nullptr; ///< of row 0, head 0; like queries
    std::size_t outStride = 0;
};

/// Floats of scratch that a thread needs, whatever the item.
[[nodiscard]] std::size_t attentionScratchFloats(const AttentionShape& shape) noexcept;

/// out = softmax(scale * query · keys) · values, causal. `scratch` belongs to the calling thread, 64-byte
/// aligned. A row's bits do not depend on the rows computed with it, the block size or the blocks' places:
/// keys are always summed in the same groups, by position.
void attention(const AttentionShape& shape, KvMemory memory, const AttentionItem& item,
               std::span<float> scratch);

/// One long item shared by several threads: its keys fall into spans, any thread computes any of them into
/// the span's part of `partials`, then one merges them. The result has the bits of attention().
[[nodiscard]] std::size_t attentionSpans(const AttentionItem& item) noexcept;
/// Floats in a span's part; `rows`: those of the item times the query heads of a kv head.
[[nodiscard]] std::size_t attentionPartialFloats(std::size_t rows, std::size_t headDim) noexcept;
void attendSpan(const AttentionShape& shape, KvMemory memory, const AttentionItem& item, std::size_t span,
                std::span<float> scratch, std::span<float> partial);
/// `partials`: those of all spans, one after the other.
void mergeSpans(const AttentionShape& shape, const AttentionItem& item, std::span<const float> partials,
                std::span<float> scratch);

} // namespace vitrine::kernels
