// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/attention_items.h"

#include <algorithm>
#include <bit>

namespace vitrine {
namespace {

using kernels::cuda::AttentionItem;
using kernels::cuda::kMaxQueries;

std::int32_t divideUp(std::int32_t a, std::int32_t b)
{
    return (a + b - 1) / b;
}

/// visit(item) for each item of the batch, not split.
template<class Visit>
void forEachItem(const Batch& batch, std::int32_t group, Visit&& visit)
{
    const std::int32_t heads = std::min(group, kMaxQueries);
    const std::int32_t rows = kMaxQueries / heads;
    for (std::int32_t s = 0; s < batch.sequenceCount(); ++s) {
        const auto sequence = static_cast<std::size_t>(s);
        const std::int32_t end = batch.sequenceOffsets[sequence + 1];
        for (std::int32_t row = batch.sequenceOffsets[sequence]; row < end; row += rows)
            for (std::int32_t head = 0; head < group; head += heads) {
                AttentionItem item;
                item.row = row;
                item.rows = std::min(rows, end - row);
                item.position = batch.positions[static_cast<std::size_t>(row)];
                item.table = batch.blockTableOffsets[sequence];
                item.firstHead = head;
                item.heads = std::min(heads, group - head);
                item.end = item.position + item.rows;
                visit(item);
            }
    }
}

} // namespace

void AttentionItems::build(const Batch& batch, const ModelSpec& spec, std::int32_t wantedBlocks)
{
    items.clear();
    merges.clear();
    itemQueries = 0;
    partialRows = 0;
    const std::int32_t group = spec.headCount / spec.kvHeadCount;
    std::int32_t count = 0;
    forEachItem(batch, group, [&](const AttentionItem&) { ++count; });
    const std::int32_t parts = std::max(1, wantedBlocks / std::max(1, count * spec.kvHeadCount));
    forEachItem(batch, group, [&](const AttentionItem& item) {
        itemQueries = std::max(itemQueries, item.rows * item.heads);
        addRows(item, std::min(parts, divideUp(item.end, kKeysPerPart)));
    });
}

void AttentionItems::pad()
{
    items.resize(std::bit_ceil(items.size()));
    if (!merges.empty())
        merges.resize(std::bit_ceil(merges.size()));
}

void AttentionItems::addRows(const AttentionItem& item, std::int32_t parts)
{
    if (parts == 1)
        return items.push_back(item);
    merges.push_back({item.row, item.rows, item.firstHead, item.heads, partialRows, parts});
    const std::int32_t keys = divideUp(item.end, parts);
    for (std::int32_t p = 0; p < parts; ++p) {
        AttentionItem part = item;
        part.begin = p * keys;
        part.end = std::min(part.begin + keys, item.end);
        part.partial = partialRows;
        partialRows += item.rows * item.heads;
        items.push_back(part);
    }
}

} // namespace vitrine
