// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "kernels/aligned_buffer.h"
#include "kernels/kv_layout.h"

namespace vitrine {

/// [block][layer][K, V]. A block of all layers is one piece, and a sequence that grows enters one new huge
/// page at a time and not one in every layer: the machine gives such a page, all zeros, when it is first
/// written, and with 60 of them in one step that step took 270 ms.
class KvCache {
public:
    KvCache() = default;
    /// Throws std::bad_alloc.
    KvCache(const ModelSpec& spec, const KvCacheShape& shape);

    [[nodiscard]] const kernels::KvLayout& layout() const { return m_layout; }
    [[nodiscard]] kernels::KvMemory layer(int layer);

    void copyBlock(BlockId source, BlockId target);
    void poisonBlock(BlockId block);

private:
    [[nodiscard]] std::size_t strideBytes() const { return m_layout.blockStride * m_layout.elementBytes(); }
    [[nodiscard]] std::byte* start(BlockId block);

    kernels::KvLayout m_layout;
    kernels::AlignedBuffer m_blocks;
};

} // namespace vitrine
