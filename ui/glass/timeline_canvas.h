// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/timeline_axis.h"
#include "ui/glass/timeline_painter.h"
#include "ui/glass/timeline_strips.h"
#include "ui/models/batch_history.h"

#include <QCoreApplication>
#include <QFont>
#include <QFontMetrics>
#include <QPoint>

#include <optional>
#include <vector>

class QPainter;

namespace vitrine::ui {

class GlassModel;
struct PlacedRow;

/// What the batch timeline draws, and what is where: on the screen or in a picture for a file.
class TimelineCanvas {
    Q_DECLARE_TR_FUNCTIONS(TimelineCanvas)
public:
    struct Layout {
        int labelWidth = 0;
        int strips = 1;
        int stripHeight = 0;
        int stripsBottom = 0; ///< where the rows begin
        int rowHeight = 0;
        int axisTop = 0; ///< where they end
    };

    /// `glass` outlives it.
    explicit TimelineCanvas(const GlassModel* glass);

    void layOut(const QSize& size, const QFont& font, const QPalette& palette);
    /// Takes what there is in the glass now. O(steps in view + kept sequences).
    void refresh();
    /// Pixels of rows above those in view.
    void scrollTo(int pixels) { m_scroll = pixels; }

    [[nodiscard]] TimelineAxis& axis() { return m_axis; }
    [[nodiscard]] const TimelineAxis& axis() const { return m_axis; }
    [[nodiscard]] const Layout& layout() const { return m_layout; }
    /// Those with something in the visible steps, from the top.
    [[nodiscard]] const std::vector<SequenceId>& rows() const { return m_rows; }
    /// Those that hold the blocks that are marked in the map, by id; their labels have a dot.
    [[nodiscard]] const std::vector<SequenceId>& markedHolders() const { return m_holders; }
    [[nodiscard]] const StripColumns& strips() const { return m_strips; }

    /// Rows below those in view, and what they are at the step shown; a line tells of them.
    struct HiddenRows {
        int top = 0; ///< of that line
        int running = 0;
        int waiting = 0;
        int ended = 0; ///< by then
        int later = 0; ///< come afterwards
        [[nodiscard]] int count() const { return running + waiting + ended + later; }
    };
    [[nodiscard]] std::optional<HiddenRows> hiddenRows() const;

    void paint(QPainter& painter) const;
    /// Beside the name of who holds a block that is marked in the map.
    static void paintHolderDot(QPainter& painter, const QRect& rect, const GlassColors& colors);

    [[nodiscard]] const SequenceRow* rowAt(int y) const;
    [[nodiscard]] std::optional<std::uint64_t> stepAt(int x) const;
    [[nodiscard]] std::optional<StripKind> stripAt(int y) const;
    /// The selection's; the first, where a chat has several.
    [[nodiscard]] std::optional<std::size_t> chosenRow() const;

    /// In words; empty where there is nothing.
    [[nodiscard]] QString describeAt(QPoint point) const;
    [[nodiscard]] QString describeRow(const SequenceRow& row, std::optional<std::uint64_t> step) const;

private:
    void paintStrips(QPainter& painter) const;
    void paintRests(QPainter& painter) const;
    void paintRows(QPainter& painter) const;
    void paintRow(QPainter& painter, const PlacedRow& placed) const;
    void paintLabel(QPainter& painter, const QRect& rect, const SequenceRow& row) const;
    void paintHiddenRows(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    void count(SequenceId sequence, HiddenRows& hidden) const;
    [[nodiscard]] bool holdsMarked(SequenceId sequence) const;
    [[nodiscard]] QRect rowsArea() const;
    [[nodiscard]] QRect plotRect(int top, int height) const;
    [[nodiscard]] int rowTop(std::size_t row) const;

    const GlassModel* m_glass;
    TimelineAxis m_axis;
    TimelinePainter m_painter;
    GlassColors m_colors;
    QColor m_highlight;
    QFontMetrics m_metrics{QFont()};
    QSize m_size;
    Layout m_layout;
    int m_scroll = 0;
    StripColumns m_strips;
    std::vector<SequenceId> m_rows;
    std::vector<SequenceId> m_holders; ///< of the marked blocks, by id
};

} // namespace vitrine::ui
