// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/cache/kv_allocator.h"

#include <vector>

namespace vitrine {

/// Any free block will do: a sequence takes a block when its last one is full, and shares the blocks of equal
/// prefixes. Source: Kwon et al., "Efficient Memory Management for LLM Serving with PagedAttention", SOSP
/// 2023.
class PagedAllocator final : public KvAllocator {
public:
    /// `hash` nullptr: no prefix caching.
    PagedAllocator(BlockPool& pool, BlockHash hash);

    [[nodiscard]] std::int64_t blocksAtMost(const KvDemand& demand) const override;
    [[nodiscard]] std::int32_t cachedTokens(BlockTable& table, std::span<const TokenId> tokens) override;
    [[nodiscard]] KvGrant admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree) override;
    [[nodiscard]] bool grow(BlockTable& table, std::int32_t tokens) override;
    void written(BlockTable& table, std::span<const TokenId> tokens, std::int32_t first,
                 std::int32_t count) override;
    [[nodiscard]] bool cachesPrefixes() const override { return m_hash != nullptr; }
    [[nodiscard]] bool canFork() const override { return true; }

private:
    void findHits(BlockTable& table, std::span<const TokenId> tokens);
    [[nodiscard]] std::int32_t countFreeHits() const;
    void takeHits(BlockTable& table);
    void publishFull(BlockTable& table, std::span<const TokenId> tokens, std::int32_t end);
    [[nodiscard]] BlockContent contentAt(BlockTable& table, std::span<const TokenId> tokens,
                                         std::size_t index, PrefixId parent) const;

    const BlockHash m_hash;
    std::vector<PrefixHit> m_hits; ///< of the demand at hand
};

} // namespace vitrine
