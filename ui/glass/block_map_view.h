// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/block_grid.h"
#include "ui/glass/block_painter.h"
#include "ui/models/block_map_model.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <optional>

namespace vitrine::ui {

class GlassModel;

/// The pool as a grid: position is the physical block and never moves. After a drain only the cells that look
/// different are painted, into a picture of the visible part that paintEvent copies from.
class BlockMapView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit BlockMapView(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] const BlockMapModel& model() const { return m_model; }
    [[nodiscard]] const BlockGrid& grid() const { return m_grid; }

    /// The cell that the keyboard is on.
    [[nodiscard]] std::optional<BlockId> currentBlock() const { return m_current; }
    void setCurrentBlock(BlockId block);

    /// Cells painted since the view was made: what "only what changed" is measured by.
    [[nodiscard]] qint64 paintedCells() const { return m_paintedCells; }

    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// Clicked, or Enter pressed on it.
    void blockActivated(vitrine::BlockId block);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;

private:
    void onDrain();
    void startAgain();
    void recolor();
    void layOut();
    void repaintAll();
    void repaintCells(const std::vector<BlockId>& blocks);
    void paintCell(QPainter& painter, int block);
    [[nodiscard]] QRect viewRect(int block) const;
    [[nodiscard]] std::optional<BlockId> blockAt(QPoint viewPoint) const;
    void moveCurrent(int distance);
    void showDetails(BlockId block, QPoint globalPoint);

    GlassModel* m_glass;
    BlockMapModel m_model;
    BlockGrid m_grid;
    BlockPainter m_painter;
    QPixmap m_picture; ///< of the viewport
    std::optional<BlockId> m_current;
    qint64 m_paintedCells = 0;
    bool m_stale = true; ///< hidden while something changed: everything is painted when it is shown again
};

} // namespace vitrine::ui
