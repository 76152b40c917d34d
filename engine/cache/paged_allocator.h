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
    PagedAllocator(BlockPool& pool, const TableShape& shape, BlockHash hash);

    [[nodiscard]] std::int64_t blocksAtMost(const KvDemand& demand) const override;
    [[nodiscard]] std::int32_t cachedTokens(BlockTable& table, std::span<const TokenId> tokens) override;
    [[nodiscard]] KvGrant admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree) override;
    [[nodiscard]] bool grow(BlockTable& table, std::int32_t tokens, std::int32_t computed) override;
    void written(BlockTable& table, std::span<const TokenId> tokens, std::int32_t first,
                 std::int32_t count) override;
    [[nodiscard]] bool cachesPrefixes() const override { return m_hash != nullptr; }
    [[nodiscard]] bool canFork() const override { return true; }

private:
    /// What is known of the rows of a demand's leading tokens.
    struct Hits {
        std::vector<BlockId> blocks;    ///< (rows, groups), null where none is found
        std::vector<PrefixId> chain;    ///< (rows)
        std::vector<std::int32_t> runs; ///< (groups) where the rows that are found without a gap begin
    };

    void findHits(BlockTable& table, std::span<const TokenId> tokens);
    [[nodiscard]] bool findRow(BlockTable& table, std::span<const TokenId> tokens, std::int32_t row);
    [[nodiscard]] bool sufficeFor(std::int32_t computed) const;
    [[nodiscard]] std::int32_t countFreeHits(std::int32_t computed) const;
    [[nodiscard]] bool addRows(BlockTable& table, std::int32_t rows, std::int32_t tokens,
                               std::int32_t computed);
    [[nodiscard]] std::int32_t firstMissing(const BlockTable& table, std::int32_t rows, std::int32_t group,
                                            std::int32_t computed) const;
    void publishFull(BlockTable& table, std::span<const TokenId> tokens, std::int32_t end);
    [[nodiscard]] BlockContent contentAt(BlockTable& table, std::span<const TokenId> tokens, std::int32_t row,
                                         std::int32_t group, PrefixId parent) const;

    const BlockHash m_hash;
    Hits m_hits; ///< of the demand at hand
};

} // namespace vitrine
