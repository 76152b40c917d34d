// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of block tables: which entries sequences need, and how many blocks that takes.
#pragma once
#include "engine/engine_options.h"

#include <cstdint>
#include <vector>

namespace vitrine {

/// A block table has a row for each block_size tokens, and in it an entry for each layer group. A group that
/// looks back on all tokens needs all rows; one with a window needs those that its window still sees and
/// those that the next steps write, so that what it holds is bounded however long the sequence gets.
class TableShape {
public:
    /// Windows count only where blocks can be given back one by one: paged, with a KV cache.
    explicit TableShape(const SchedulerOptions& options);

    [[nodiscard]] std::int32_t blockSize() const { return m_blockSize; }
    [[nodiscard]] std::int32_t groups() const { return m_groups; }
    /// The group that looks back the furthest.
    [[nodiscard]] std::int32_t lastGroup() const { return groups() - 1; }
    /// Index of an entry in the table.
    [[nodiscard]] std::int32_t position(std::int32_t row, std::int32_t group) const
    {
        return row * groups() + group;
    }
    [[nodiscard]] std::int32_t rowOf(std::int32_t position) const { return position / groups(); }
    [[nodiscard]] std::int32_t groupOf(std::int32_t position) const { return position % groups(); }
    /// ceil(tokens / block_size)
    [[nodiscard]] std::int32_t rowsFor(std::int64_t tokens) const
    {
        return static_cast<std::int32_t>((tokens + m_blockSize - 1) / m_blockSize);
    }

    [[nodiscard]] bool hasWindow(std::int32_t group) const { return m_windows[std::size_t(group)] > 0; }
    [[nodiscard]] bool hasWindows() const { return hasWindow(0); }
    /// The first row that a group's layers look at when the token at position `computed` is the next.
    [[nodiscard]] std::int32_t firstRow(std::int32_t group, std::int32_t computed) const;
    /// The tokens below have, or had, room in a group when a sequence of `tokens` tokens, of which the first
    /// `computed` are computed, takes part in a step: all of them, or as far as a window and a step reach.
    [[nodiscard]] std::int32_t reach(std::int32_t group, std::int32_t tokens, std::int32_t computed) const;
    [[nodiscard]] std::int32_t endRow(std::int32_t group, std::int32_t tokens, std::int32_t computed) const
    {
        return rowsFor(reach(group, tokens, computed));
    }

    /// Blocks of a sequence of so many tokens, none of which is computed.
    [[nodiscard]] std::int64_t blocksFor(std::int32_t tokens) const;
    /// Rows in which it holds a group's blocks at a time, at most, while it becomes so long; and all blocks.
    [[nodiscard]] std::int64_t rowsAtMost(std::int32_t group, std::int64_t tokens) const;
    [[nodiscard]] std::int64_t blocksAtMost(std::int64_t tokens) const;
    /// The longest sequence that never needs more than so many blocks.
    [[nodiscard]] std::int32_t tokensWithin(std::int64_t blocks) const;

private:
    std::int32_t m_blockSize;
    std::int32_t m_groups;
    std::int32_t m_stepTokens; ///< that one step may compute
    std::vector<std::int32_t> m_windows;
};

} // namespace vitrine
