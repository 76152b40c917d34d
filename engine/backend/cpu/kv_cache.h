// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "kernels/aligned_buffer.h"
#include "kernels/kv_layout.h"

namespace vitrine {

/// K and V of all layers: (layers, num_blocks) blocks each. Memory is taken from the machine as blocks are written.
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
    template<typename F>
    void forEachPart(F&& visit); ///< visit(first byte of the K or V of one layer)

    kernels::KvLayout m_layout;
    int m_layers = 0;
    std::size_t m_layerBytes = 0;
    kernels::AlignedBuffer m_keys;
    kernels::AlignedBuffer m_values;
};

} // namespace vitrine
