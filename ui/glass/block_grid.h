// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/block_arrangement.h"

#include <QPoint>
#include <QRect>
#include <QSize>

#include <span>
#include <utility>
#include <vector>

namespace vitrine::ui {

/// Where each block is drawn. Lanes stand one under the other; a lane's cells fill rows. As long as single
/// blocks can be told apart, a cell is a block, as large as lets all fit; where that would make cells too
/// small to read, the grid is higher than the view and scrolls. Above kMostSingle blocks a cell is `merge()`
/// blocks side by side, so many that the whole fits; each level of zoom halves them, and beyond single blocks
/// enlarges the cells.
class BlockGrid {
public:
    static constexpr int kLargestCell = 40; ///< pixels, gap included: larger ones tell no more
    /// Fill, border and dot can still be told apart; 1,456 blocks fit 1280×800.
    static constexpr int kSmallestCell = 6;
    static constexpr int kScrollingCell = 12; ///< where it has to scroll anyway
    static constexpr int kMergedCell = 8;     ///< the least for proportions to be read
    static constexpr int kMostSingle = 16'000;
    static constexpr int kMargin = 2; ///< around all: what surrounds a cell at the edge is not cut off

    BlockGrid() = default;
    /// `label`: room at the left of each lane, and its least height; empty for none.
    BlockGrid(std::span<const BlockLane> lanes, QSize view, QSize label = {}, int zoom = 0);

    [[nodiscard]] int cells() const
    {
        return m_lanes.empty() ? 0 : m_lanes.back().firstCell + m_lanes.back().cells;
    }
    [[nodiscard]] int merge() const { return m_merge; }
    [[nodiscard]] int zoom() const { return m_zoom; }
    [[nodiscard]] int mostZoom() const { return m_mostZoom; }
    [[nodiscard]] int columns() const { return m_columns; }
    [[nodiscard]] int cellSize() const { return m_cell; }
    [[nodiscard]] int gap() const { return m_cell >= 16 ? 2 : 1; }
    [[nodiscard]] int height() const { return m_height; }
    [[nodiscard]] int left() const { return m_left; }
    [[nodiscard]] int laneCount() const { return static_cast<int>(m_lanes.size()); }

    /// Without the gap.
    [[nodiscard]] QRect cellRect(int cell) const;
    [[nodiscard]] QRect labelRect(int lane) const;
    /// −1 where there is none.
    [[nodiscard]] int cellAt(QPoint point) const;
    /// Cells with a part in rows of pixels [top, bottom): first and one past the last.
    [[nodiscard]] std::pair<int, int> cellsIn(int top, int bottom) const;
    [[nodiscard]] std::pair<int, int> lanesIn(int top, int bottom) const;

    /// Its first block, and how many it stands for.
    [[nodiscard]] std::pair<BlockPlace, int> blocksOf(int cell) const;
    [[nodiscard]] int cellOf(BlockPlace place) const;
    /// The cell that stands so many rows below; the nearest one where there are not so many.
    [[nodiscard]] int cellBelow(int cell, int rows) const;

    friend bool operator==(const BlockGrid&, const BlockGrid&) = default;

private:
    struct Lane {
        int firstCell = 0;
        int cells = 0;
        int blocks = 0;
        int top = 0; ///< pixels
        friend bool operator==(const Lane&, const Lane&) = default;
    };

    void choose(std::span<const BlockLane> lanes, QSize view, int zoom);
    [[nodiscard]] std::int64_t heightWith(std::span<const BlockLane> lanes, int width, int merge,
                                          int cell) const;
    void zoomIn(int zoom);
    void place(std::span<const BlockLane> lanes, int width);
    [[nodiscard]] int rowsOf(int cells) const { return (cells + m_columns - 1) / m_columns; }
    [[nodiscard]] int laneOf(int cell) const;
    [[nodiscard]] int laneAt(int y) const;

    std::vector<Lane> m_lanes;
    QSize m_label;
    int m_merge = 1;
    int m_zoom = 0;
    int m_mostZoom = 0;
    int m_columns = 1;
    int m_cell = kSmallestCell;
    int m_left = 0;
    int m_height = 0;
};

} // namespace vitrine::ui
