// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/batch.h"
#include "engine/backend/cpu/cpu_activations.h"
#include "engine/backend/cpu/worker_pool.h"
#include "engine/model/model_spec.h"
#include "kernels/attention.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vitrine {

/// How threads share the attention of a batch; the same for every layer. An item is some consecutive tokens
/// of one sequence for one kv head. Decodes so long that a thread would still be at one when the others have
/// nothing left (a chat of 8,000 tokens beside short ones) are shared in spans of keys. Results have the same
/// bits either way.
class AttentionPlan {
public:
    /// `query` is read, `out` is written by run(). The batch is for so many layer groups.
    void build(const Batch& batch, const ModelSpec& spec, std::int32_t layerGroups, RowBuffer& query,
               RowBuffer& out, const WorkerPool& workers);

    [[nodiscard]] std::size_t sharedItems() const { return m_partialStarts.size() - 1; }

    /// scratch[worker]: kernels::attentionScratchFloats() floats.
    void run(WorkerPool& workers, const kernels::AttentionShape& shape, kernels::KvMemory memory,
             std::int32_t layerGroup, std::span<kernels::AlignedBuffer> scratch);

private:
    struct Span {
        std::size_t item;
        std::size_t index;
    };

    void takeTables(const Batch& batch, std::size_t layerGroups);
    void makeItems(const Batch& batch, const ModelSpec& spec, std::size_t layerGroups, RowBuffer& query,
                   RowBuffer& out);
    void shareLongItems(const ModelSpec& spec, int threads);
    [[nodiscard]] std::span<float> partialsOf(std::size_t sharedItem);

    std::vector<std::uint32_t> m_blockTables;    ///< of a sequence that of each group, one after the other
    std::vector<kernels::AttentionItem> m_items; ///< with the first group's tables; longest first
    std::vector<Span> m_spans;                   ///< of the shared items, which are the first ones
    std::vector<std::size_t> m_partialStarts{0}; ///< of each shared item in m_partials, and the end
    std::vector<float> m_partials;
    std::int64_t m_grain = 1;      ///< tasks (spans, then items) that one thread takes at a time
    std::int64_t m_mergeGrain = 1; ///< shared items whose spans one thread merges at a time
};

} // namespace vitrine
