// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/cache/kv_allocator.h"

#include <vector>

namespace vitrine {

/// One run of consecutive blocks for as long as a sequence may get: how engines reserved memory before
/// paging. First fit. Nothing is shared, and a sequence can always grow to its greatest length.
class ContiguousAllocator final : public KvAllocator {
public:
    /// `maxModelLen` in tokens; 0: the whole pool. Precondition: `kind` is not Paged.
    ContiguousAllocator(BlockPool& pool, const TableShape& shape, Allocator kind, std::int32_t maxModelLen);

    [[nodiscard]] std::int64_t blocksAtMost(const KvDemand& demand) const override;
    [[nodiscard]] std::int32_t cachedTokens(BlockTable&, std::span<const TokenId>) override { return 0; }
    [[nodiscard]] KvGrant admit(BlockTable& table, const KvDemand& demand, std::int32_t keepFree) override;
    [[nodiscard]] bool grow(BlockTable& table, std::int32_t tokens, std::int32_t computed) override;
    void release(BlockTable& table) override;

    /// Blocks of the longest free run.
    [[nodiscard]] std::int32_t longestRun() const;

private:
    /// A run of free blocks between two sequences.
    struct Hole {
        std::int32_t first;
        std::int32_t length;
    };

    [[nodiscard]] std::int64_t runTokens(const KvDemand& demand) const;
    [[nodiscard]] std::int32_t takeFirstFit(std::int32_t length);
    void giveBack(Hole hole);

    const Allocator m_kind;
    const std::int64_t m_maxTokens;
    std::vector<Hole> m_holes; ///< by address, none empty, no two adjacent
};

} // namespace vitrine
