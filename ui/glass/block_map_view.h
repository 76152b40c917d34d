// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/block_grid.h"
#include "ui/glass/block_motion.h"
#include "ui/glass/block_painter.h"
#include "ui/models/block_arrangement.h"
#include "ui/models/block_map_model.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QPixmap>

#include <memory>
#include <optional>

namespace vitrine {
struct BlockText;
}

namespace vitrine::ui {

class GlassModel;

/// The pool as a grid. By address, position is the physical block and never moves: after a drain only the
/// cells that look different are painted, into a picture of the visible part that paintEvent copies from. By
/// sequence and by eviction blocks move, and the visible cells are compared with what was painted.
class BlockMapView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit BlockMapView(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] const BlockMapModel& model() const { return m_model; }
    [[nodiscard]] const BlockGrid& grid() const { return m_grid; }

    [[nodiscard]] BlockOrder order() const { return m_order; }
    void setOrder(BlockOrder order);

    /// 0: all that fits; each level shows half as many blocks, then larger cells.
    [[nodiscard]] int zoom() const { return m_grid.zoom(); }
    void setZoom(int zoom);

    /// The block that the keyboard is on; it stays so in another order, even where it does not stand there.
    [[nodiscard]] std::optional<BlockId> currentBlock() const;
    void setCurrentBlock(BlockId block);

    /// Cells painted since the view was made: what "only what changed" is measured by.
    [[nodiscard]] qint64 paintedCells() const { return m_paintedCells; }

    /// Whether blocks that are taken, published or evicted move for a moment; follows Motion::shared().
    void setMotion(bool motion);
    [[nodiscard]] bool isMoving() const { return m_motion.isRunning(); }

    /// The engine's answer to textWanted(); shown beside the block while it is still true of it.
    void setBlockText(const std::shared_ptr<const BlockText>& content);

    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// Clicked, or Enter pressed on it.
    void blockActivated(vitrine::BlockId block);
    /// The block's details are shown, and its text is not known.
    void textWanted(vitrine::BlockId block);
    void orderChanged(vitrine::ui::BlockOrder order);
    /// Another zoom, or another number of blocks in a cell.
    void scaleChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    /// All that is drawn in a cell.
    struct Look {
        BlockCell cell; ///< where the grid merges nothing
        BlockMix mix;
        friend bool operator==(const Look&, const Look&) = default;
    };
    struct Painted {
        QRect rect; ///< in the picture
        Look look;
    };
    /// Where the keyboard is: a shared block stands in several tables.
    struct Current {
        BlockId block;
        SequenceId sequence;
        int index = 0; ///< in that table
    };

    void onDrain();
    void takeChanges(const std::vector<BlockId>& changed);
    void startAgain();
    void recolor();
    void layOut();
    /// Reads the order anew. False where the same cells stand at the same places.
    bool arrange();
    [[nodiscard]] BlockGrid makeGrid() const;
    [[nodiscard]] QSize labelSize() const;

    void redraw(const std::vector<BlockId>& changed);
    void repaintAll();
    void repaintBlocks(const std::vector<BlockId>& blocks);
    void repaintVisible();
    void paintCell(QPainter& painter, const Painted& cell);
    void startMotion(const Painted& before, const Look& after);
    void paintLabels(QPainter& painter) const;
    [[nodiscard]] Look lookOf(int cell) const;
    [[nodiscard]] std::vector<BlockId> blocksOf(int cell) const;
    [[nodiscard]] std::pair<int, int> visibleCells() const;
    [[nodiscard]] std::vector<Painted> visibleLooks();
    [[nodiscard]] bool isChosen(int cell) const;
    void paintOverlay(QPainter& painter, const QRegion& region) const;
    void paintContour(QPainter& painter, int cell) const;

    [[nodiscard]] QRect viewRect(int cell) const;
    [[nodiscard]] int cellAt(QPoint viewPoint) const;
    [[nodiscard]] int currentCell() const; ///< −1: none, or it does not stand in this order
    void moveTo(int cell);
    void activate();
    bool goTo(int cell);
    void scrollTo(int cell);
    void zoomBy(int levels, QPoint viewPoint);
    bool handleMove(int key);
    bool handleCommand(int key);
    void describe(int cell);
    [[nodiscard]] QString detailsOf(int cell) const;
    [[nodiscard]] QString textOf(BlockId block) const;
    [[nodiscard]] bool hasText(BlockId block) const;
    [[nodiscard]] bool isPast() const;
    void showDetails(int cell, QPoint globalPoint);
    void showTip();

    GlassModel* m_glass;
    BlockMapModel m_model;
    BlockArrangement m_arrangement;
    BlockGrid m_grid;
    BlockPainter m_painter;
    BlockOrder m_order = BlockOrder::Address;
    int m_zoom = 0;
    QPixmap m_picture;              ///< of the viewport
    std::vector<Painted> m_painted; ///< the visible cells, from m_firstPainted on
    int m_firstPainted = 0;
    std::optional<Current> m_current;
    std::shared_ptr<const BlockText> m_text; ///< of the block asked for last
    QPoint m_tipPoint;                       ///< on the screen
    int m_tipCell = -1;                      ///< whose details are shown
    BlockMotion m_motion;
    QBasicTimer m_motionTimer;
    QBasicTimer m_lookTimer; ///< while the model is behind
    bool m_moves = true;
    std::optional<std::uint64_t> m_cursor; ///< the glass's, at the last drain
    bool m_jumped = false;                 ///< to another moment: what differs has not happened just now
    qint64 m_paintedCells = 0;
    bool m_stale = true; ///< hidden while something changed: everything is painted when it is shown again
};

} // namespace vitrine::ui
