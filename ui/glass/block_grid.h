// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPoint>
#include <QRect>
#include <QSize>

namespace vitrine::ui {

/// Where each block is drawn. The cells are as large as lets the whole pool fit; where that would make them
/// too small to read, the grid is higher than the view and scrolls.
class BlockGrid {
public:
    static constexpr int kLargestCell = 40; ///< pixels, gap included: larger ones tell no more
    /// Fill, border and dot can still be told apart; 1,456 blocks fit 1280×800.
    static constexpr int kSmallestCell = 6;
    static constexpr int kScrollingCell = 12; ///< where it has to scroll anyway

    BlockGrid() = default;
    BlockGrid(int blocks, QSize view);

    [[nodiscard]] int blocks() const { return m_blocks; }
    [[nodiscard]] int columns() const { return m_columns; }
    [[nodiscard]] int rows() const;
    [[nodiscard]] int cellSize() const { return m_cell; }
    [[nodiscard]] int gap() const { return m_cell >= 16 ? 2 : 1; }
    [[nodiscard]] int height() const { return rows() * m_cell; }
    [[nodiscard]] int left() const { return m_left; }

    /// Without the gap.
    [[nodiscard]] QRect cellRect(int block) const;
    /// −1 where there is none.
    [[nodiscard]] int blockAt(QPoint point) const;
    /// Blocks with a part in rows of pixels [top, bottom): first and one past the last.
    [[nodiscard]] std::pair<int, int> blocksIn(int top, int bottom) const;

    friend bool operator==(const BlockGrid&, const BlockGrid&) = default;

private:
    int m_blocks = 0;
    int m_columns = 1;
    int m_cell = kSmallestCell;
    int m_left = 0;
};

} // namespace vitrine::ui
