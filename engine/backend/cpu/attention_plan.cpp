// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/attention_plan.h"

#include "engine/backend/cpu/index.h"

#include <algorithm>
#include <functional>

namespace vitrine {
namespace {

/// Rows of a prefill chunk in one item: small enough that the items of one long prompt can be shared evenly,
/// large enough that K and V are read from memory once for many rows.
constexpr std::size_t kItemRows = 32;

/// An item is shared where it is more than this part of what each thread has to do.
constexpr std::size_t kSharedPart = 4;
/// Items of more rows are not shared: their spans' results would take memory, and nothing is gained
/// (bench_gaps, 4 and 16 in turn).
constexpr std::size_t kMostSharedRows = 4;

/// Query rows times keys.
std::size_t cost(const kernels::AttentionItem& item)
{
    return item.rows * (item.firstPosition + item.rows);
}

/// The same in another layer group.
kernels::AttentionItem inGroup(kernels::AttentionItem item, std::size_t layerGroup)
{
    const std::size_t rows = item.blockTable.size();
    item.blockTable = {item.blockTable.data() + layerGroup * rows, rows};
    return item;
}

std::span<float> floatsOf(kernels::AlignedBuffer& buffer)
{
    return {reinterpret_cast<float*>(buffer.data()), buffer.size() / sizeof(float)};
}

} // namespace

void AttentionPlan::build(const Batch& batch, const ModelSpec& spec, std::int32_t layerGroups,
                          RowBuffer& query, RowBuffer& out, const WorkerPool& workers)
{
    takeTables(batch, index(layerGroups));
    makeItems(batch, spec, index(layerGroups), query, out);
    shareLongItems(spec, workers.threads());
    std::size_t work = 0;
    for (const kernels::AttentionItem& item : m_items)
        work += cost(item) * index(spec.headCount / spec.kvHeadCount * spec.headDim) * 2;
    const std::size_t tasks = m_spans.size() + m_items.size();
    m_grain = workers.grainFor(tasks, work / std::max<std::size_t>(1, tasks));
    m_mergeGrain =
        workers.grainFor(sharedItems(), m_partialStarts.back() / std::max<std::size_t>(1, sharedItems()));
}

/// The kernels find a position's block by its row alone.
void AttentionPlan::takeTables(const Batch& batch, std::size_t layerGroups)
{
    m_blockTables.clear();
    for (std::int32_t sequence = 0; sequence < batch.sequenceCount(); ++sequence) {
        const std::size_t begin = index(batch.blockTableOffsets[index(sequence)]);
        const std::size_t end = index(batch.blockTableOffsets[index(sequence) + 1]);
        for (std::size_t group = 0; group < layerGroups; ++group)
            for (std::size_t entry = begin + group; entry < end; entry += layerGroups)
                m_blockTables.push_back(batch.blockTables[entry].value);
    }
}

void AttentionPlan::makeItems(const Batch& batch, const ModelSpec& spec, std::size_t layerGroups,
                              RowBuffer& query, RowBuffer& out)
{
    m_items.clear();
    const std::size_t groupWidth = index(spec.headCount / spec.kvHeadCount * spec.headDim);
    for (std::int32_t sequence = 0; sequence < batch.sequenceCount(); ++sequence) {
        const std::size_t firstRow = index(batch.sequenceOffsets[index(sequence)]);
        const std::size_t endRow = index(batch.sequenceOffsets[index(sequence) + 1]);
        const std::size_t tableBegin = index(batch.blockTableOffsets[index(sequence)]);
        const std::size_t tableEnd = index(batch.blockTableOffsets[index(sequence) + 1]);
        const std::size_t tableRows = (tableEnd - tableBegin) / layerGroups;
        for (std::size_t row = firstRow; row < endRow; row += kItemRows)
            for (std::size_t kvHead = 0; kvHead < index(spec.kvHeadCount); ++kvHead)
                m_items.push_back({
                    .blockTable = std::span(m_blockTables).subspan(tableBegin, tableRows),
                    .kvHead = kvHead,
                    .firstPosition = index(batch.positions[row]),
                    .rows = std::min(kItemRows, endRow - row),
                    .queries = query.row(row).data() + kvHead * groupWidth,
                    .queryStride = query.width(),
                    .out = out.row(row).data() + kvHead * groupWidth,
                    .outStride = out.width(),
                });
    }
    std::ranges::stable_sort(m_items, std::greater{}, cost);
}

void AttentionPlan::shareLongItems(const ModelSpec& spec, int threads)
{
    std::size_t total = 0;
    for (const kernels::AttentionItem& item : m_items)
        total += cost(item);
    const std::size_t fairShare = total / index(threads);
    const auto isShared = [&](const kernels::AttentionItem& item) {
        return threads > 1 && item.rows <= kMostSharedRows && kernels::attentionSpans(item) > 1 &&
               cost(item) > fairShare / kSharedPart;
    };
    const auto end = std::stable_partition(m_items.begin(), m_items.end(), isShared);
    m_spans.clear();
    m_partialStarts.assign(1, 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(end - m_items.begin()); ++i) {
        const std::size_t spans = kernels::attentionSpans(m_items[i]);
        for (std::size_t span = 0; span < spans; ++span)
            m_spans.push_back({i, span});
        const std::size_t rows = m_items[i].rows * index(spec.headCount / spec.kvHeadCount);
        m_partialStarts.push_back(m_partialStarts.back() +
                                  spans * kernels::attentionPartialFloats(rows, index(spec.headDim)));
    }
    m_partials.resize(std::max(m_partials.size(), m_partialStarts.back()));
}

std::span<float> AttentionPlan::partialsOf(std::size_t sharedItem)
{
    return std::span(m_partials)
        .subspan(m_partialStarts[sharedItem], m_partialStarts[sharedItem + 1] - m_partialStarts[sharedItem]);
}

void AttentionPlan::run(WorkerPool& workers, const kernels::AttentionShape& shape, kernels::KvMemory memory,
                        std::int32_t layerGroup, std::span<kernels::AlignedBuffer> scratch)
{
    const std::size_t shared = sharedItems();
    const auto itemAt = [&](std::size_t i) { return inGroup(m_items[i], index(layerGroup)); };
    const auto runTask = [&](std::size_t task, std::span<float> own) {
        if (task >= m_spans.size())
            return kernels::attention(shape, memory, itemAt(task - m_spans.size() + shared), own);
        const auto [item, span] = m_spans[task];
        const std::span<float> partials = partialsOf(item);
        const std::size_t floats = partials.size() / kernels::attentionSpans(m_items[item]);
        kernels::attendSpan(shape, memory, itemAt(item), span, own, partials.subspan(span * floats, floats));
    };
    const std::size_t tasks = m_spans.size() + m_items.size() - shared;
    workers.share(static_cast<std::int64_t>(tasks), m_grain,
                  [&](std::int64_t begin, std::int64_t end, int worker) {
                      for (std::int64_t task = begin; task < end; ++task)
                          runTask(static_cast<std::size_t>(task), floatsOf(scratch[index(worker)]));
                  });
    workers.share(
        static_cast<std::int64_t>(shared), m_mergeGrain,
        [&](std::int64_t begin, std::int64_t end, int worker) {
            for (auto item = static_cast<std::size_t>(begin); item < static_cast<std::size_t>(end); ++item)
                kernels::mergeSpans(shape, m_items[item], partialsOf(item), floatsOf(scratch[index(worker)]));
        });
}

} // namespace vitrine
