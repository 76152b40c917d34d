// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/kv_cache.h"

#include <cstring>

namespace vitrine {
namespace {

/// All bits set is a NaN in both 16 and 32 bits.
constexpr int kNanByte = 0xff;

kernels::KvLayout layoutOf(const ModelSpec& spec, const LayerGroups& groups, const KvCacheShape& shape)
{
    return kernels::KvLayout::together(
        shape.dtype == KvCacheDtype::F16 ? kernels::KvType::F16 : kernels::KvType::F32,
        static_cast<std::size_t>(spec.kvHeadCount), static_cast<std::size_t>(spec.headDim),
        static_cast<std::size_t>(shape.blockSize), static_cast<std::size_t>(groups.layersEach));
}

} // namespace

KvCache::KvCache(const ModelSpec& spec, const LayerGroups& groups, const KvCacheShape& shape)
    : m_layout(layoutOf(spec, groups, shape))
    , m_blocks(blockBytes() * static_cast<std::size_t>(shape.numBlocks), kernels::AlignedBuffer::Pages::Small)
{
}

kernels::KvMemory KvCache::layer(std::int32_t indexInGroup)
{
    std::byte* keys =
        m_blocks.data() + static_cast<std::size_t>(indexInGroup) * m_layout.kvHeads * headBytes();
    return {keys, keys + headBytes() / 2};
}

void KvCache::copyBlock(BlockId source, BlockId target)
{
    std::memcpy(start(target), start(source), blockBytes());
}

void KvCache::poisonBlock(BlockId block)
{
    std::memset(start(block), kNanByte, blockBytes());
}

std::byte* KvCache::start(BlockId block)
{
    return m_blocks.data() + blockBytes() * static_cast<std::size_t>(block.value);
}

} // namespace vitrine
