// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/model/layer_groups.h"
#include "kernels/aligned_buffer.h"
#include "kernels/kv_layout.h"

namespace vitrine {

/// [block][layer of a group][kv_head][K, V]. A block of a group is one piece, and what is read at a time too:
/// of a usual model K and V of a head fill a page. Memory is taken from the machine as blocks are written,
/// and evenly: as [layer][block] in huge pages, 60 of them were first written in one step, which took 270 ms.
class KvCache {
public:
    KvCache() = default;
    /// Throws std::bad_alloc.
    KvCache(const ModelSpec& spec, const LayerGroups& groups, const KvCacheShape& shape);

    [[nodiscard]] const kernels::KvLayout& layout() const { return m_layout; }
    /// The layer at a place of its group: its blocks are those of the group.
    [[nodiscard]] kernels::KvMemory layer(std::int32_t indexInGroup);

    void copyBlock(BlockId source, BlockId target);
    void poisonBlock(BlockId block);

private:
    [[nodiscard]] std::size_t headBytes() const { return m_layout.headStride * m_layout.elementBytes(); }
    [[nodiscard]] std::size_t blockBytes() const { return m_layout.blockStride * m_layout.elementBytes(); }
    [[nodiscard]] std::byte* start(BlockId block);

    kernels::KvLayout m_layout;
    kernels::AlignedBuffer m_blocks;
};

} // namespace vitrine
