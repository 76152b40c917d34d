// SPDX-License-Identifier: GPL-3.0-or-later
// The pool in numbers: the definitions of views.md, "Metrics", as functions.
#pragma once
#include <cstdint>
#include <span>

namespace vitrine::ui {

class PoolMirror;

/// N usable blocks (the null block is not one) of B slots, S = N·B slots; K active blocks, each counted once.
struct PoolFigures {
    std::int32_t blockSize = 0;     ///< B
    std::int32_t usableBlocks = 0;  ///< N
    std::int32_t activeBlocks = 0;  ///< K: ref_cnt ≥ 1
    std::int32_t sharedBlocks = 0;  ///< ref_cnt ≥ 2
    std::int32_t cachedBlocks = 0;  ///< free, still hashed
    std::int32_t cleanBlocks = 0;   ///< free, no hash
    std::int64_t usedSlots = 0;     ///< Σ fill over distinct active blocks
    std::int64_t tableEntries = 0;  ///< Σ block table lengths
    std::int64_t reservedSlots = 0; ///< contiguous modes: granted, not yet written, will be written
    bool contiguous = false;        ///< each sequence has one run, granted as a whole

    [[nodiscard]] std::int32_t freeBlocks() const { return cachedBlocks + cleanBlocks; }
    [[nodiscard]] std::int64_t totalSlots() const { return std::int64_t{usableBlocks} * blockSize; }
    [[nodiscard]] std::int64_t freeSlots() const { return std::int64_t{freeBlocks()} * blockSize; }
    [[nodiscard]] std::int64_t internalSlots() const
    {
        return std::int64_t{activeBlocks} * blockSize - usedSlots - reservedSlots;
    }
    /// What the sequences would need if nothing was shared, less what they do.
    [[nodiscard]] std::int64_t savedBlocks() const { return tableEntries - activeBlocks; }
    [[nodiscard]] double kvCacheUsage() const; ///< K/N
    [[nodiscard]] double tokenShare() const;   ///< used/S
    [[nodiscard]] double sharingRatio() const; ///< Σ table lengths / K; 0 while nothing is active

    friend bool operator==(const PoolFigures&, const PoolFigures&) = default;
};

[[nodiscard]] PoolFigures poolFigures(const PoolMirror& pool);

/// One sequence's run in a contiguous pool, in slots: granted ≥ final ≥ written.
struct ContiguousGrant {
    std::int64_t granted = 0;
    std::int64_t written = 0;
    std::int64_t final = 0; ///< what will have been written at its end
};

/// used + reserved + internal + free = S.
struct SlotShares {
    std::int64_t used = 0;
    std::int64_t reserved = 0; ///< granted, not yet written, will be written
    std::int64_t internal = 0; ///< granted, never to be written
    std::int64_t free = 0;
    friend bool operator==(const SlotShares&, const SlotShares&) = default;
};

[[nodiscard]] SlotShares slotShares(const PoolFigures& figures);
[[nodiscard]] SlotShares slotShares(std::span<const ContiguousGrant> grants, std::int64_t totalSlots);

/// 1 − L/F, L the largest of the free runs and F their sum; 0 while nothing is free. Harmless in a paged
/// pool.
[[nodiscard]] double fragmentation(std::span<const std::int64_t> freeRuns);

/// The share of free memory that a request of k units side by side cannot use: 1 − k·Σ⌊run/k⌋/F.
[[nodiscard]] double unusableFree(std::span<const std::int64_t> freeRuns, std::int64_t k);

} // namespace vitrine::ui
