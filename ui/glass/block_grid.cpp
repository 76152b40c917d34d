// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_grid.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

/// Rows that begin at round numbers are easier to count in.
constexpr int kColumnStep = 8;

int columnsFor(int width, int cell)
{
    const int columns = std::max(1, width / cell);
    return columns < 2 * kColumnStep ? columns : columns / kColumnStep * kColumnStep;
}

bool fits(int blocks, QSize view, int cell)
{
    const int columns = columnsFor(view.width(), cell);
    return (blocks + columns - 1) / columns * cell <= view.height();
}

} // namespace

BlockGrid::BlockGrid(int blocks, QSize view)
    : m_blocks(blocks)
{
    m_cell = kLargestCell;
    while (m_cell >= kSmallestCell && !fits(blocks, view, m_cell))
        --m_cell;
    if (m_cell < kSmallestCell)
        m_cell = kScrollingCell;
    m_columns = columnsFor(view.width(), m_cell);
    m_left = std::max(0, (view.width() - m_columns * m_cell + gap()) / 2);
}

int BlockGrid::rows() const
{
    return (m_blocks + m_columns - 1) / m_columns;
}

QRect BlockGrid::cellRect(int block) const
{
    const int side = m_cell - gap();
    return {m_left + block % m_columns * m_cell, block / m_columns * m_cell, side, side};
}

int BlockGrid::blockAt(QPoint point) const
{
    const int column = point.x() < m_left ? -1 : (point.x() - m_left) / m_cell;
    if (column < 0 || column >= m_columns || point.y() < 0)
        return -1;
    const int block = point.y() / m_cell * m_columns + column;
    return block < m_blocks ? block : -1;
}

std::pair<int, int> BlockGrid::blocksIn(int top, int bottom) const
{
    const int firstRow = std::max(0, top / m_cell);
    const int lastRow = std::max(firstRow, (bottom + m_cell - 1) / m_cell);
    return {std::min(m_blocks, firstRow * m_columns), std::min(m_blocks, lastRow * m_columns)};
}

} // namespace vitrine::ui
