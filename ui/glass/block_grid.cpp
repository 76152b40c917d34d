// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_grid.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace vitrine::ui {

namespace {

/// Rows that begin at round numbers are easier to count in.
constexpr int kColumnStep = 8;
constexpr int kLaneGap = 4;
constexpr int kMostMerge = 1 << 22;

int columnsFor(int width, int cell)
{
    const int columns = std::max(1, (width - 2 * BlockGrid::kMargin) / cell);
    return columns < 2 * kColumnStep ? columns : columns / kColumnStep * kColumnStep;
}

int ceilDiv(int a, int b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

} // namespace

BlockGrid::BlockGrid(std::span<const BlockLane> lanes, QSize view, QSize label, int zoom)
    : m_label(label.isEmpty() ? QSize(0, 0) : label)
{
    choose(lanes, view, zoom);
    place(lanes, view.width() - m_label.width());
}

/// How large a cell is, and of how many blocks.
void BlockGrid::choose(std::span<const BlockLane> lanes, QSize view, int zoom)
{
    std::int64_t blocks = 0;
    for (const BlockLane& lane : lanes)
        blocks += lane.blocks;
    const int width = view.width() - m_label.width();
    const auto fits = [&](int cell) { return heightWith(lanes, width, m_merge, cell) <= view.height(); };
    const int least = blocks > kMostSingle ? kMergedCell : kSmallestCell;
    while (blocks > kMostSingle && m_merge < kMostMerge && (blocks / m_merge > kMostSingle || !fits(least)))
        m_merge *= 2;
    m_cell = kLargestCell;
    while (m_cell >= least && !fits(m_cell))
        --m_cell;
    if (m_cell < least)
        m_cell = kScrollingCell;
    zoomIn(zoom);
}

void BlockGrid::zoomIn(int zoom)
{
    for (int merge = m_merge, cell = m_cell; merge > 1 || cell < kLargestCell; ++m_mostZoom) {
        if (merge > 1)
            merge /= 2;
        else
            cell = std::min(kLargestCell, cell * 3 / 2);
    }
    m_zoom = std::clamp(zoom, 0, m_mostZoom);
    for (int level = 0; level < m_zoom; ++level) {
        if (m_merge == 1)
            m_cell = std::min(kLargestCell, m_cell * 3 / 2);
        else if ((m_merge /= 2) == 1)
            m_cell = std::max(m_cell, kScrollingCell);
    }
}

std::int64_t BlockGrid::heightWith(std::span<const BlockLane> lanes, int width, int merge, int cell) const
{
    const int columns = columnsFor(width, cell);
    std::int64_t height = 2 * kMargin;
    for (const BlockLane& lane : lanes)
        height += std::max(ceilDiv(ceilDiv(lane.blocks, merge), columns) * std::int64_t{cell},
                           std::int64_t{m_label.height()}) +
                  (m_label.isEmpty() ? 0 : kLaneGap);
    return height;
}

void BlockGrid::place(std::span<const BlockLane> lanes, int width)
{
    m_columns = columnsFor(width, m_cell);
    m_left = m_label.isEmpty() ? std::max(kMargin, (width - m_columns * m_cell + gap()) / 2)
                               : m_label.width() + kMargin;
    int cell = 0;
    std::int64_t top = kMargin;
    m_lanes.reserve(lanes.size());
    for (const BlockLane& lane : lanes) {
        const int count = ceilDiv(lane.blocks, m_merge);
        m_lanes.push_back({cell, count, lane.blocks, static_cast<int>(top)});
        cell += count;
        top += std::max(rowsOf(count) * std::int64_t{m_cell}, std::int64_t{m_label.height()}) +
               (m_label.isEmpty() ? 0 : kLaneGap);
    }
    m_height = static_cast<int>(std::min<std::int64_t>(top + kMargin, std::numeric_limits<int>::max()));
}

int BlockGrid::laneOf(int cell) const
{
    const auto after = std::ranges::upper_bound(m_lanes, cell, {}, &Lane::firstCell);
    // Lanes without a cell share their first one with the next.
    return static_cast<int>(after - m_lanes.begin()) - 1;
}

int BlockGrid::laneAt(int y) const
{
    const auto after = std::ranges::upper_bound(m_lanes, y, {}, &Lane::top);
    return static_cast<int>(after - m_lanes.begin()) - 1;
}

QRect BlockGrid::cellRect(int cell) const
{
    const Lane& lane = m_lanes[static_cast<std::size_t>(laneOf(cell))];
    const int index = cell - lane.firstCell;
    const int side = m_cell - gap();
    return {m_left + index % m_columns * m_cell, lane.top + index / m_columns * m_cell, side, side};
}

QRect BlockGrid::labelRect(int lane) const
{
    return {0, m_lanes[static_cast<std::size_t>(lane)].top, m_label.width(), m_label.height()};
}

int BlockGrid::cellAt(QPoint point) const
{
    const int column = point.x() < m_left ? -1 : (point.x() - m_left) / m_cell;
    const int laneIndex = point.y() < 0 ? -1 : laneAt(point.y());
    if (column < 0 || column >= m_columns || laneIndex < 0)
        return -1;
    const Lane& lane = m_lanes[static_cast<std::size_t>(laneIndex)];
    const int index = (point.y() - lane.top) / m_cell * m_columns + column;
    return index < lane.cells ? lane.firstCell + index : -1;
}

std::pair<int, int> BlockGrid::lanesIn(int top, int bottom) const
{
    if (m_lanes.empty() || bottom <= top)
        return {0, 0};
    return {std::max(0, laneAt(top)), laneAt(bottom - 1) + 1};
}

std::pair<int, int> BlockGrid::cellsIn(int top, int bottom) const
{
    const auto [firstLane, endLane] = lanesIn(top, bottom);
    if (firstLane >= endLane)
        return {0, 0};
    const Lane& first = m_lanes[static_cast<std::size_t>(firstLane)];
    const Lane& last = m_lanes[static_cast<std::size_t>(endLane - 1)];
    const int skipped = std::max(0, top - first.top) / m_cell * m_columns;
    const int shown = ceilDiv(std::max(0, bottom - last.top), m_cell);
    const int begin = first.firstCell + std::min(first.cells, skipped);
    return {begin, std::max(begin, last.firstCell + std::min(last.cells, shown * m_columns))};
}

std::pair<BlockPlace, int> BlockGrid::blocksOf(int cell) const
{
    const int index = laneOf(cell);
    const Lane& lane = m_lanes[static_cast<std::size_t>(index)];
    const int first = (cell - lane.firstCell) * m_merge;
    return {{index, first}, std::min(m_merge, lane.blocks - first)};
}

int BlockGrid::cellOf(BlockPlace place) const
{
    return m_lanes[static_cast<std::size_t>(place.lane)].firstCell + place.index / m_merge;
}

int BlockGrid::cellBelow(int cell, int rows) const
{
    int lane = laneOf(cell);
    const int column = (cell - m_lanes[static_cast<std::size_t>(lane)].firstCell) % m_columns;
    int row = (cell - m_lanes[static_cast<std::size_t>(lane)].firstCell) / m_columns + rows;
    while (row < 0 && lane > 0)
        row += rowsOf(m_lanes[static_cast<std::size_t>(--lane)].cells);
    while (lane + 1 < laneCount() && row >= rowsOf(m_lanes[static_cast<std::size_t>(lane)].cells))
        row -= rowsOf(m_lanes[static_cast<std::size_t>(lane++)].cells);
    const Lane& target = m_lanes[static_cast<std::size_t>(lane)];
    if (row < 0)
        return column < target.cells ? target.firstCell + column : target.firstCell;
    return target.firstCell + std::min(row * m_columns + column, std::max(0, target.cells - 1));
}

} // namespace vitrine::ui
