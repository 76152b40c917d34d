// SPDX-License-Identifier: GPL-3.0-or-later
// What the published blocks hold, and how to find one by content.
#pragma once
#include "engine/cache/block_table.h"
#include "engine/cache/prefix_index.h"
#include "engine/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vitrine {

/// A full block by what it holds and what stands before it.
struct BlockContent {
    std::uint64_t hash = 0; ///< of all that follows
    PrefixId parent;
    std::span<const TokenId> tokens; ///< (block_size)
    std::uint64_t extraKey = 0;
    std::int32_t layerGroup = 0;
};

/// A published block found by its content, and the chain that ends with it.
struct PrefixHit {
    BlockId block;
    PrefixId prefix;
};

/// Compares parent, tokens, key and group besides the hash, so that a collision is a miss and never a wrong
/// answer. Takes memory only once something is published.
class PrefixCache {
public:
    PrefixCache(std::int32_t numBlocks, std::int32_t blockSize);

    [[nodiscard]] std::optional<PrefixHit> find(const BlockContent& content) const;
    /// Precondition: find() knows no such content. Another block with the same hash can no longer be found:
    /// the newer one is the more useful. Returns the chain that ends with the block.
    PrefixId add(BlockId block, const BlockContent& content);
    void remove(BlockId block, std::uint64_t hash);

    void prefetch(std::uint64_t hash) const { m_index.prefetch(hash); }
    [[nodiscard]] BlockId blockOf(std::uint64_t hash) const { return m_index.find(hash); }
    [[nodiscard]] std::int32_t size() const { return m_index.size(); }
    /// Precondition: the block is published.
    [[nodiscard]] std::span<const TokenId> tokensOf(BlockId block) const;

private:
    struct Entry {
        PrefixId parent;
        PrefixId prefix;
        std::uint64_t extraKey = 0;
        std::int32_t layerGroup = 0;
    };

    void reserve();
    [[nodiscard]] std::size_t offset(BlockId block) const { return block.value * std::size_t(m_blockSize); }

    const std::int32_t m_numBlocks;
    const std::int32_t m_blockSize;
    PrefixIndex m_index;
    std::vector<Entry> m_entries;  ///< (num_blocks)
    std::vector<TokenId> m_tokens; ///< (num_blocks, block_size)
    std::uint64_t m_lastPrefix = 0;
};

} // namespace vitrine
