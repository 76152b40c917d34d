// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/kv_cache.h"

#include <cstring>

namespace vitrine {
namespace {

/// All bits set is a NaN in both 16 and 32 bits.
constexpr int kNanByte = 0xff;

kernels::KvLayout layoutOf(const ModelSpec& spec, const KvCacheShape& shape)
{
    return {
        .type = shape.dtype == KvCacheDtype::F16 ? kernels::KvType::F16 : kernels::KvType::F32,
        .kvHeads = static_cast<std::size_t>(spec.kvHeadCount),
        .headDim = static_cast<std::size_t>(spec.headDim),
        .blockSize = static_cast<std::size_t>(shape.blockSize),
    };
}

/// Each layer starts on a cache line.
std::size_t roundUp(std::size_t bytes)
{
    constexpr std::size_t line = kernels::AlignedBuffer::kAlignment;
    return (bytes + line - 1) / line * line;
}

} // namespace

KvCache::KvCache(const ModelSpec& spec, const KvCacheShape& shape)
    : m_layout(layoutOf(spec, shape))
    , m_layers(spec.layerCount)
    , m_layerBytes(roundUp(m_layout.blockBytes() * static_cast<std::size_t>(shape.numBlocks)))
    , m_keys(m_layerBytes * static_cast<std::size_t>(m_layers))
    , m_values(m_layerBytes * static_cast<std::size_t>(m_layers))
{
}

kernels::KvMemory KvCache::layer(int layer)
{
    const std::size_t start = m_layerBytes * static_cast<std::size_t>(layer);
    return {m_keys.data() + start, m_values.data() + start};
}

template<typename F>
void KvCache::forEachPart(F&& visit)
{
    for (int i = 0; i < m_layers; ++i) {
        const kernels::KvMemory memory = layer(i);
        visit(memory.keys);
        visit(memory.values);
    }
}

void KvCache::copyBlock(BlockId source, BlockId target)
{
    const std::size_t bytes = m_layout.blockBytes();
    forEachPart([&](std::byte* part) {
        std::memcpy(part + target.value * bytes, part + source.value * bytes, bytes);
    });
}

void KvCache::poisonBlock(BlockId block)
{
    const std::size_t bytes = m_layout.blockBytes();
    forEachPart([&](std::byte* part) { std::memset(part + block.value * bytes, kNanByte, bytes); });
}

} // namespace vitrine
