// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/prefix_cache.h"

#include <algorithm>

namespace vitrine {

PrefixCache::PrefixCache(std::int32_t numBlocks, std::int32_t blockSize)
    : m_numBlocks(numBlocks)
    , m_blockSize(blockSize)
{
}

std::optional<PrefixHit> PrefixCache::find(const BlockContent& content) const
{
    const BlockId block = m_index.find(content.hash);
    if (block == kNullBlock)
        return std::nullopt;
    const Entry& entry = m_entries[block.value];
    if (entry.parent != content.parent || entry.extraKey != content.extraKey ||
        entry.layerGroup != content.layerGroup || !std::ranges::equal(tokensOf(block), content.tokens))
        return std::nullopt;
    return PrefixHit{block, entry.prefix};
}

PrefixId PrefixCache::add(BlockId block, const BlockContent& content)
{
    reserve();
    const PrefixId prefix{++m_lastPrefix};
    m_entries[block.value] = {content.parent, prefix, content.extraKey, content.layerGroup};
    std::ranges::copy(content.tokens, m_tokens.begin() + std::ptrdiff_t(offset(block)));
    m_index.assign(content.hash, block);
    return prefix;
}

void PrefixCache::remove(BlockId block, std::uint64_t hash)
{
    if (m_index.find(hash) == block)
        m_index.erase(hash);
}

std::span<const TokenId> PrefixCache::tokensOf(BlockId block) const
{
    return std::span(m_tokens).subspan(offset(block), std::size_t(m_blockSize));
}

void PrefixCache::reserve()
{
    if (!m_entries.empty())
        return;
    m_index = PrefixIndex(m_numBlocks);
    m_entries.resize(std::size_t(m_numBlocks));
    m_tokens.resize(std::size_t(m_numBlocks) * std::size_t(m_blockSize));
}

} // namespace vitrine
