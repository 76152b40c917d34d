// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/batch.h"
#include "engine/model/model_spec.h"
#include "kernels/cuda/kernels.h"

#include <cstdint>
#include <vector>

namespace vitrine {

/// A pass's attention as blocks of threads share it: rows of one sequence and query heads of one kv head, as
/// many as fit an item. Where there are few items and contexts are long, each is split over its keys, so that
/// the whole card works; the parts are merged.
struct AttentionItems {
    std::vector<kernels::cuda::AttentionItem> items;
    std::vector<kernels::cuda::AttentionMerge> merges;
    int itemQueries = 0;          ///< the most rows * heads of an item
    std::int32_t partialRows = 0; ///< of all parts that are merged

    /// `wantedBlocks`: blocks of threads that keep the card busy.
    void build(const Batch& batch, const ModelSpec& spec, std::int32_t wantedBlocks);
    /// With items and merges that do nothing up to a power of two, so that few counts occur.
    void pad();

private:
    void addRows(const kernels::cuda::AttentionItem& item, std::int32_t parts);
};

/// Keys of a part at least: below that the merge would cost more than it brings.
inline constexpr std::int32_t kKeysPerPart = 256;

} // namespace vitrine
