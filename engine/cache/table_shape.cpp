// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/table_shape.h"

#include <algorithm>
#include <limits>

namespace vitrine {

TableShape::TableShape(const SchedulerOptions& options)
    : m_blockSize(options.blockSize)
    , m_groups(options.layerGroups())
    , m_stepTokens(options.maxNumBatchedTokens)
    , m_windows(options.windows)
{
    if (options.allocator != Allocator::Paged || !options.kvCache)
        std::ranges::fill(m_windows, 0);
}

std::int32_t TableShape::firstRow(std::int32_t group, std::int32_t computed) const
{
    const std::int32_t window = m_windows[std::size_t(group)];
    return window == 0 || computed < window ? 0 : (computed - window + 1) / m_blockSize;
}

/// From the start as much as the group will hold at once: a prompt that is admitted has its room.
std::int32_t TableShape::reach(std::int32_t group, std::int32_t tokens, std::int32_t computed) const
{
    const std::int32_t window = m_windows[std::size_t(group)];
    if (window == 0)
        return tokens;
    const std::int64_t end = std::int64_t(std::max(computed, window - 1)) + m_stepTokens;
    return static_cast<std::int32_t>(std::min<std::int64_t>(tokens, end));
}

std::int64_t TableShape::blocksFor(std::int32_t tokens) const
{
    std::int64_t blocks = 0;
    for (std::int32_t group = 0; group < groups(); ++group)
        blocks += endRow(group, tokens, 0);
    return blocks;
}

/// A window's keys and a step's tokens, wherever in their rows they begin.
std::int64_t TableShape::rowsAtMost(std::int32_t group, std::int64_t tokens) const
{
    const std::int64_t rows = (tokens + m_blockSize - 1) / m_blockSize;
    const std::int32_t window = m_windows[std::size_t(group)];
    if (window == 0)
        return rows;
    const std::int64_t held = std::int64_t(window) - 1 + m_stepTokens;
    return std::min(rows, held == 1 ? 1 : (held - 2) / m_blockSize + 2);
}

std::int64_t TableShape::blocksAtMost(std::int64_t tokens) const
{
    std::int64_t blocks = 0;
    for (std::int32_t group = 0; group < groups(); ++group)
        blocks += rowsAtMost(group, tokens);
    return blocks;
}

std::int32_t TableShape::tokensWithin(std::int64_t blocks) const
{
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int32_t>::max() / m_blockSize; // rows
    while (least < most) {
        const std::int64_t middle = (least + most + 1) / 2;
        if (blocksAtMost(middle * m_blockSize) <= blocks)
            least = middle;
        else
            most = middle - 1;
    }
    return static_cast<std::int32_t>(least * m_blockSize);
}

} // namespace vitrine
