// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/timeline_axis.h"
#include "ui/glass/timeline_painter.h"
#include "ui/models/batch_history.h"

#include <QAbstractScrollArea>
#include <QPoint>

#include <optional>
#include <vector>

namespace vitrine::ui {

class GlassModel;
class RefreshGate;

/// Rows are sequences, x is the step. Above the rows, on the same axis, running and waiting requests and the
/// use of the token budget. Wheel: zoom; drag: scroll; click: the shared cursor; F or End: follow the newest.
class BatchTimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit BatchTimelineView(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] const TimelineAxis& axis() const { return m_axis; }
    /// As drawn, from the top.
    [[nodiscard]] const std::vector<SequenceId>& rows() const { return m_rows; }

    void follow();
    void zoom(double factor);

    /// What is at a point of the viewport, in words; empty where there is nothing.
    [[nodiscard]] QString describeAt(QPoint point) const;

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void followingChanged(bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Layout {
        int labelWidth = 0;
        int stripHeight = 0;
        int stripsBottom = 0; ///< where the rows begin
        int rowHeight = 0;
        int axisTop = 0; ///< where they end
    };

    void refresh();
    void setUpMetrics();
    void collectRows();
    void moveCursor(int steps);
    void announceCursor();
    void afterMove();

    void paintStrips(QPainter& painter) const;
    void paintRows(QPainter& painter) const;
    void paintLabel(QPainter& painter, const QRect& rect, const SequenceRow& row) const;
    void paintAxis(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;

    [[nodiscard]] QRect plotRect(int top, int height) const;
    [[nodiscard]] int rowTop(std::size_t row) const;
    [[nodiscard]] const SequenceRow* rowAt(int y) const;
    [[nodiscard]] std::optional<std::uint64_t> stepAt(int x) const;

    GlassModel* m_glass;
    RefreshGate* m_gate;
    TimelineAxis m_axis;
    TimelinePainter m_painter;
    GlassColors m_colors;
    Layout m_layout;
    std::vector<SequenceId> m_rows; ///< those with something in the visible steps, from the top
    QPoint m_pressed;
    QPoint m_dragged;
    bool m_dragging = false;
    bool m_wasFollowing = true;
};

} // namespace vitrine::ui
