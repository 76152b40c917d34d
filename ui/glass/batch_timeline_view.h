// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/timeline_canvas.h"

#include <QAbstractScrollArea>
#include <QPoint>

#include <vector>

namespace vitrine::ui {

class GlassModel;
class RefreshGate;

/// Rows are sequences, x is the step or the time. Above the rows, on the same axis, strips of what all of
/// them share. Wheel: zoom. Drag: scroll; in the strips and on the ruler: the shared cursor. Click: the
/// cursor, and the row's chat is chosen. Left and right, with Shift ten steps, pages, Home: the cursor; up
/// and down: the row; T: step or time; F or End: follow the newest.
class BatchTimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit BatchTimelineView(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] const TimelineCanvas& canvas() const { return m_canvas; }
    [[nodiscard]] const TimelineAxis& axis() const { return m_canvas.axis(); }
    /// As drawn, from the top.
    [[nodiscard]] const std::vector<SequenceId>& rows() const { return m_canvas.rows(); }

    [[nodiscard]] bool showsTime() const; ///< x is the time, and not the step
    void setShowsTime(bool time);
    void follow();
    void zoom(double factor);

    /// What is at a point of the viewport, in words; empty where there is nothing.
    [[nodiscard]] QString describeAt(QPoint point) const { return m_canvas.describeAt(point); }

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void followingChanged(bool following);
    void unitChanged(bool showsTime);

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
    void refresh();
    void layOut();
    void moveCursor(std::int64_t steps);
    void moveRow(int rows);
    void scrubTo(int x);
    void revealChosenRow();
    void showCursor();
    void announce();
    void afterMove();
    [[nodiscard]] std::int64_t stepsInView() const;

    GlassModel* m_glass;
    RefreshGate* m_gate;
    TimelineCanvas m_canvas;
    QPoint m_pressed;
    QPoint m_dragged;
    bool m_dragging = false;
    bool m_scrubbing = false;
    bool m_wasFollowing = true;
};

} // namespace vitrine::ui
