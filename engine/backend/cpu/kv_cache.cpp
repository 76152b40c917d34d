// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/kv_cache.h"

#include <cstring>

namespace vitrine {
namespace {

/// All bits set is a NaN in both 16 and 32 bits.
constexpr int kNanByte = 0xff;

/// K or V of one layer in a block starts on a cache line.
std::size_t roundUp(std::size_t bytes)
{
    constexpr std::size_t line = kernels::AlignedBuffer::kAlignment;
    return (bytes + line - 1) / line * line;
}

kernels::KvLayout layoutOf(const ModelSpec& spec, const KvCacheShape& shape)
{
    kernels::KvLayout layout{
        .type = shape.dtype == KvCacheDtype::F16 ? kernels::KvType::F16 : kernels::KvType::F32,
        .kvHeads = static_cast<std::size_t>(spec.kvHeadCount),
        .headDim = static_cast<std::size_t>(spec.headDim),
        .blockSize = static_cast<std::size_t>(shape.blockSize),
    };
    const std::size_t parts = 2 * static_cast<std::size_t>(spec.layerCount);
    layout.blockStride = parts * roundUp(layout.blockBytes()) / layout.elementBytes();
    return layout;
}

} // namespace

KvCache::KvCache(const ModelSpec& spec, const KvCacheShape& shape)
    : m_layout(layoutOf(spec, shape))
    , m_blocks(strideBytes() * static_cast<std::size_t>(shape.numBlocks))
{
}

kernels::KvMemory KvCache::layer(int layer)
{
    const std::size_t partBytes = roundUp(m_layout.blockBytes());
    std::byte* keys = m_blocks.data() + 2 * partBytes * static_cast<std::size_t>(layer);
    return {keys, keys + partBytes};
}

void KvCache::copyBlock(BlockId source, BlockId target)
{
    std::memcpy(start(target), start(source), strideBytes());
}

void KvCache::poisonBlock(BlockId block)
{
    std::memset(start(block), kNanByte, strideBytes());
}

std::byte* KvCache::start(BlockId block)
{
    return m_blocks.data() + strideBytes() * static_cast<std::size_t>(block.value);
}

} // namespace vitrine
