// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/batch_timeline_view.h"

#include "ui/glass/refresh_gate.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/batch_description.h"
#include "ui/models/glass_model.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr int kDragFrom = 4; ///< pixels; less is a click
constexpr double kZoomStep = 1.25;
constexpr int kLongMove = 10; ///< steps, with Shift

} // namespace

BatchTimelineView::BatchTimelineView(GlassModel* glass, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_glass(glass)
    , m_gate(new RefreshGate(this, kChartInterval, [this] { refresh(); }))
    , m_canvas(glass)
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // One that comes and goes changes how many steps are in view, by that the rows, and by these itself
    // again.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setAccessibleName(tr("Batch timeline"));
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setCursor(Qt::OpenHandCursor);
    connect(glass, &GlassModel::changed, m_gate, &RefreshGate::request);
    connect(glass, &GlassModel::cursorChanged, this, &BatchTimelineView::showCursor);
    connect(glass, &GlassModel::cursorChanged, m_gate, &RefreshGate::requestNow);
    connect(&glass->selection(), &GlassSelection::changed, this, &BatchTimelineView::revealChosenRow);
    connect(&glass->selection(), &GlassSelection::changed, m_gate, &RefreshGate::request);
    layOut();
    m_gate->request();
}

QSize BatchTimelineView::sizeHint() const
{
    return {360, 220};
}

void BatchTimelineView::layOut()
{
    m_canvas.layOut(viewport()->size(), font(), palette());
}

void BatchTimelineView::refresh()
{
    m_canvas.refresh();
    const TimelineCanvas::Layout& layout = m_canvas.layout();
    const int visible = layout.axisTop - layout.stripsBottom;
    const int needed = static_cast<int>(m_canvas.rows().size()) * layout.rowHeight;
    verticalScrollBar()->setPageStep(std::max(1, visible));
    verticalScrollBar()->setSingleStep(layout.rowHeight);
    verticalScrollBar()->setRange(0, std::max(0, needed - visible));
    viewport()->update();
    if (m_wasFollowing != axis().following()) {
        m_wasFollowing = axis().following();
        emit followingChanged(m_wasFollowing);
    }
}

void BatchTimelineView::afterMove()
{
    refresh();
    QToolTip::hideText();
}

void BatchTimelineView::follow()
{
    m_canvas.axis().follow();
    m_glass->setCursor(std::nullopt);
    afterMove();
}

bool BatchTimelineView::showsTime() const
{
    return m_canvas.axis().unit() == TimelineAxis::Unit::Seconds;
}

void BatchTimelineView::setShowsTime(bool time)
{
    if (time == showsTime())
        return;
    m_canvas.axis().setUnit(time ? TimelineAxis::Unit::Seconds : TimelineAxis::Unit::Steps);
    afterMove();
    emit unitChanged(time);
}

void BatchTimelineView::zoom(double factor)
{
    m_canvas.axis().zoom(factor, m_canvas.axis().width() / 2.0);
    afterMove();
}

void BatchTimelineView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    m_canvas.paint(painter);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void BatchTimelineView::resizeEvent(QResizeEvent*)
{
    const auto cursor = m_glass->cursor();
    const bool wasInView = cursor && axis().firstVisible() <= *cursor && *cursor <= axis().lastVisible();
    layOut();
    if (wasInView)
        showCursor();
    refresh();
}

void BatchTimelineView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    layOut();
    m_gate->request();
}

void BatchTimelineView::scrollContentsBy(int, int)
{
    m_canvas.scrollTo(verticalScrollBar()->value());
    viewport()->update();
}

void BatchTimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier)
        verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() / 2);
    else if (std::abs(delta.x()) > std::abs(delta.y()))
        m_canvas.axis().scroll(delta.x());
    else
        m_canvas.axis().zoom(std::pow(kZoomStep, delta.y() / 120.0),
                             event->position().x() - m_canvas.layout().labelWidth);
    afterMove();
    event->accept();
}

/// In the strips and on the ruler the pointer takes the cursor with it; over the rows it moves the rows.
void BatchTimelineView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = m_dragged = event->position().toPoint();
    m_dragging = false;
    m_scrubbing =
        event->button() == Qt::LeftButton && m_pressed.x() >= m_canvas.layout().labelWidth &&
        (m_pressed.y() < m_canvas.layout().stripsBottom || m_pressed.y() >= m_canvas.layout().axisTop);
}

void BatchTimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (!(event->buttons() & Qt::LeftButton))
        return;
    m_dragging = m_dragging || (at - m_pressed).manhattanLength() >= kDragFrom;
    if (!m_dragging)
        return;
    if (m_scrubbing)
        return scrubTo(at.x());
    viewport()->setCursor(Qt::ClosedHandCursor);
    if (at.x() != m_dragged.x())
        m_canvas.axis().scroll(at.x() - m_dragged.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - (at.y() - m_dragged.y()));
    m_dragged = at;
    afterMove();
}

void BatchTimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    viewport()->setCursor(Qt::OpenHandCursor);
    if (m_dragging || event->button() != Qt::LeftButton)
        return;
    const QPoint at = event->position().toPoint();
    if (const SequenceRow* row = m_canvas.rowAt(at.y()))
        m_glass->selection().selectSequence(row->sequence);
    if (at.x() < m_canvas.layout().labelWidth)
        return;
    const auto step = m_canvas.stepAt(at.x());
    m_glass->setCursor(step == m_glass->cursor() ? std::nullopt : step);
}

void BatchTimelineView::scrubTo(int x)
{
    if (m_glass->batches().empty())
        return;
    const double within = std::clamp(x - m_canvas.layout().labelWidth, 0, m_canvas.axis().width() - 1);
    m_glass->setCursor(m_canvas.axis().nearestStep(within));
}

void BatchTimelineView::keyPressEvent(QKeyEvent* event)
{
    const int steps = event->modifiers() & Qt::ShiftModifier ? kLongMove : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(-steps);
    case Qt::Key_Right:
        return moveCursor(steps);
    case Qt::Key_PageUp:
        return moveCursor(-stepsInView());
    case Qt::Key_PageDown:
        return moveCursor(stepsInView());
    case Qt::Key_Home: // steps that were dropped count too
        return moveCursor(
            -static_cast<std::int64_t>(m_glass->batches().lastStep() - m_glass->batches().firstStep()));
    case Qt::Key_Up:
        return moveRow(-1);
    case Qt::Key_Down:
        return moveRow(1);
    case Qt::Key_Plus:
        return zoom(kZoomStep);
    case Qt::Key_Minus:
        return zoom(1 / kZoomStep);
    case Qt::Key_T:
        return setShowsTime(!showsTime());
    case Qt::Key_End:
    case Qt::Key_F:
        return follow();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

std::int64_t BatchTimelineView::stepsInView() const
{
    return static_cast<std::int64_t>(m_canvas.axis().lastVisible()) -
           static_cast<std::int64_t>(m_canvas.axis().firstVisible());
}

void BatchTimelineView::moveCursor(std::int64_t steps)
{
    if (m_glass->batches().empty())
        return;
    // The first key of all goes to the newest step itself.
    m_glass->moveCursor(!m_glass->cursor() && steps == -1 ? 0 : steps);
    announce();
    afterMove();
}

/// Wherever it was moved or given up: here, in another panel, by the bar below the window or by a replay.
/// Without it the panels show the newest moment, and so does the axis.
void BatchTimelineView::showCursor()
{
    const auto cursor = m_glass->cursor();
    m_canvas.axis().update();
    if (!cursor)
        m_canvas.axis().follow();
    else if (!m_glass->batches().empty())
        m_canvas.axis().reveal(*cursor);
}

void BatchTimelineView::moveRow(int rows)
{
    if (m_canvas.rows().empty())
        return;
    const auto from =
        static_cast<int>(m_canvas.chosenRow().value_or(rows > 0 ? std::size_t(-1) : m_canvas.rows().size()));
    const int to = std::clamp(from + rows, 0, static_cast<int>(m_canvas.rows().size()) - 1);
    m_glass->selection().selectSequence(m_canvas.rows()[static_cast<std::size_t>(to)]);
    announce();
}

void BatchTimelineView::revealChosenRow()
{
    const auto row = m_canvas.chosenRow();
    if (!row)
        return;
    const int top = static_cast<int>(*row) * m_canvas.layout().rowHeight;
    const int visible = m_canvas.layout().axisTop - m_canvas.layout().stripsBottom;
    QScrollBar* bar = verticalScrollBar();
    bar->setValue(std::clamp(bar->value(), std::min(top, top + m_canvas.layout().rowHeight - visible), top));
}

/// Says what the cursor stands on, to those who cannot see it.
void BatchTimelineView::announce()
{
    const StepFigures* figures = m_glass->shownStepFigures();
    if (!figures)
        return;
    const auto row = m_canvas.chosenRow();
    QStringList lines;
    if (row)
        lines << m_canvas.describeRow(*m_glass->batches().row(m_canvas.rows()[*row]), figures->step);
    lines << describeStep(*figures)
          << describeEvents(m_glass->batches(), figures->step, m_glass->directory());
    lines.removeAll(QString());
    setAccessibleDescription(lines.join(QLatin1Char('\n')));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

bool BatchTimelineView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = m_canvas.describeAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(text), viewport(),
                           QRect(help->pos(), QSize(2, 2)));
    return true;
}

} // namespace vitrine::ui
