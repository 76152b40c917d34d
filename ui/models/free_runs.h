// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of free blocks that stand side by side, kept up to date block by block.
#pragma once
#include "engine/cache/free_queue.h"
#include "engine/ids.h"

#include <cstdint>
#include <map>
#include <vector>

namespace vitrine::ui {

class FreeRuns {
public:
    /// Starts again. O(blocks).
    void reset(const FreeQueue& queue, std::int32_t numBlocks);
    /// Takes in that the block is free now, or is not. O(log runs).
    void set(BlockId block, bool isFree);

    /// Blocks.
    [[nodiscard]] std::int64_t free() const { return m_free; }
    [[nodiscard]] std::int64_t largest() const { return m_lengths.empty() ? 0 : m_lengths.rbegin()->first; }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_runs.size()); }
    /// 1 − largest / free; 0 while nothing is free.
    [[nodiscard]] double fragmentation() const;
    /// Runs by length: entry i counts those of 2^i to 2^(i+1) − 1 blocks. No zeros at the end.
    [[nodiscard]] std::vector<std::int64_t> histogram() const;
    /// Each run's length, by address.
    [[nodiscard]] std::vector<std::int64_t> lengths() const;

private:
    using Runs = std::map<std::uint32_t, std::uint32_t>; ///< first block → length

    void add(std::uint32_t first, std::uint32_t length);
    void remove(Runs::iterator run);
    /// The run that holds the block, or end().
    [[nodiscard]] Runs::iterator find(std::uint32_t block);

    Runs m_runs;
    std::map<std::uint32_t, std::int64_t> m_lengths; ///< length → how many runs have it
    std::int64_t m_free = 0;
};

} // namespace vitrine::ui
