// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/batch_timeline_view.h"

#include "ui/glass/refresh_gate.h"
#include "ui/glass/timeline_strips.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/batch_description.h"
#include "ui/models/glass_model.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr int kSwatchSide = 10;
constexpr int kSpace = 4;
/// As many rows are in view as the default window has chats in its demonstration, or the palette hues; they
/// take the room there is, between bounds.
constexpr int kRowsInView = 8;
constexpr int kRowRoom = 2, kMostRowRoom = 14; ///< pixels above a line of text
constexpr int kSmallestLabel = 72;
constexpr int kLargestLabelInLetters = 40;
constexpr int kDragFrom = 4; ///< pixels; less is a click
constexpr double kZoomStep = 1.25;
constexpr int kTickSpacing = 90; ///< pixels at least

QString number(qint64 value)
{
    return QLocale().toString(value);
}

/// The smallest of 1, 2, 5, 10, 20 … at or above `wanted`.
std::uint64_t roundStep(double wanted)
{
    std::uint64_t decade = 1;
    while (true) {
        for (const std::uint64_t factor : {1, 2, 5})
            if (static_cast<double>(decade * factor) >= wanted)
                return decade * factor;
        decade *= 10;
    }
}

} // namespace

BatchTimelineView::BatchTimelineView(GlassModel* glass, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_glass(glass)
    , m_gate(new RefreshGate(this, kChartInterval, [this] { refresh(); }))
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Batch timeline"));
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setCursor(Qt::OpenHandCursor);
    connect(glass, &GlassModel::changed, m_gate, &RefreshGate::request);
    connect(glass, &GlassModel::cursorChanged, m_gate, &RefreshGate::request);
    connect(&glass->directory(), &SequenceDirectory::changed, m_gate, &RefreshGate::request);
    setUpMetrics();
    m_gate->request();
}

QSize BatchTimelineView::sizeHint() const
{
    return {360, 220};
}

void BatchTimelineView::setUpMetrics()
{
    m_colors = glassColors(palette());
    m_painter = TimelinePainter(m_colors);
    const int line = fontMetrics().height();
    const int largestLabel = kLargestLabelInLetters * fontMetrics().averageCharWidth();
    m_layout.labelWidth = std::clamp(viewport()->width() * 3 / 10, kSmallestLabel, largestLabel);
    m_layout.stripHeight = line + 2;
    m_layout.stripsBottom = 2 * (m_layout.stripHeight + kSpace);
    m_layout.axisTop = viewport()->height() - line - kSpace;
    m_layout.rowHeight = std::clamp((m_layout.axisTop - m_layout.stripsBottom) / kRowsInView, line + kRowRoom,
                                    line + kMostRowRoom);
    m_axis.setWidth(viewport()->width() - m_layout.labelWidth);
}

void BatchTimelineView::refresh()
{
    m_axis.setSteps(m_glass->batches().firstStep(), m_glass->batches().lastStep());
    m_painter.setTokenBudget(m_glass->batches().empty() ? 0 : m_glass->batches().steps().back().tokenBudget);
    collectRows();
    viewport()->update();
    if (m_wasFollowing != m_axis.following()) {
        m_wasFollowing = m_axis.following();
        emit followingChanged(m_wasFollowing);
    }
}

void BatchTimelineView::collectRows()
{
    m_rows.clear();
    if (!m_glass->batches().empty())
        for (const SequenceRow* row : m_glass->batches().rowsIn(m_axis.firstVisible(), m_axis.lastVisible()))
            m_rows.push_back(row->sequence);
    const int visible = m_layout.axisTop - m_layout.stripsBottom;
    const int needed = static_cast<int>(m_rows.size()) * m_layout.rowHeight;
    verticalScrollBar()->setPageStep(std::max(1, visible));
    verticalScrollBar()->setSingleStep(m_layout.rowHeight);
    verticalScrollBar()->setRange(0, std::max(0, needed - visible));
}

void BatchTimelineView::afterMove()
{
    refresh();
    QToolTip::hideText();
}

void BatchTimelineView::follow()
{
    m_axis.follow();
    m_glass->setCursor(std::nullopt);
    afterMove();
}

void BatchTimelineView::zoom(double factor)
{
    m_axis.zoom(factor, m_axis.width() / 2.0);
    afterMove();
}

QRect BatchTimelineView::plotRect(int top, int height) const
{
    return {m_layout.labelWidth, top, m_axis.width(), height};
}

int BatchTimelineView::rowTop(std::size_t row) const
{
    return m_layout.stripsBottom + static_cast<int>(row) * m_layout.rowHeight - verticalScrollBar()->value();
}

void BatchTimelineView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    painter.fillRect(viewport()->rect(), m_colors.background);
    if (m_glass->batches().empty())
        return;
    paintRows(painter);
    paintStrips(painter);
    paintAxis(painter);
    paintCursor(painter);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void BatchTimelineView::paintStrips(QPainter& painter) const
{
    const int height = m_layout.stripHeight;
    const QRect running = plotRect(0, height);
    const QRect budget = plotRect(height + kSpace, height);
    const QRect label(0, 0, m_layout.labelWidth - kSpace, height);
    painter.setPen(m_colors.dimText);
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft, tr("running"));
    painter.drawText(label.translated(0, budget.top()), Qt::AlignVCenter | Qt::AlignLeft, tr("budget"));
    painter.save();
    painter.setClipRect(plotRect(0, m_layout.stripsBottom), Qt::IntersectClip);
    paintRunningStrip(painter, running, m_glass->batches(), m_axis, m_colors);
    paintBudgetStrip(painter, budget, m_glass->batches(), m_axis, m_colors);
    painter.restore();
}

void BatchTimelineView::paintRows(QPainter& painter) const
{
    const QRect area(0, m_layout.stripsBottom, viewport()->width(), m_layout.axisTop - m_layout.stripsBottom);
    painter.save();
    painter.setClipRect(area);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const SequenceRow* row = m_glass->batches().row(m_rows[i]);
        const QRect whole(0, rowTop(i), viewport()->width(), m_layout.rowHeight);
        if (!row || !whole.intersects(area))
            continue;
        painter.fillRect(whole.left(), whole.bottom(), whole.width(), 1, m_colors.empty);
        paintLabel(painter, whole.adjusted(0, 0, m_layout.labelWidth - whole.width() - kSpace, 0), *row);
        painter.save();
        const QRect plot = plotRect(whole.top() + 2, whole.height() - 3);
        painter.setClipRect(plot, Qt::IntersectClip);
        m_painter.paintRow(painter, plot, m_axis, *row, m_glass->directory().colorSlot(row->sequence));
        painter.restore();
    }
    painter.restore();
}

void BatchTimelineView::paintLabel(QPainter& painter, const QRect& rect, const SequenceRow& row) const
{
    const ChatLabel label = m_glass->directory().label(row.sequence);
    const QRect swatch(rect.left() + 1, rect.center().y() - kSwatchSide / 2, kSwatchSide, kSwatchSide);
    if (row.live()) {
        painter.fillRect(swatch, sequenceBrush(label.colorSlot, m_colors.shade, m_colors.background));
    } else {
        painter.setPen(sequenceColor(label.colorSlot, m_colors.shade));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
    }
    const QRect text = rect.adjusted(kSwatchSide + 2 * kSpace, 0, 0, 0);
    painter.setPen(row.live() ? m_colors.text : m_colors.dimText);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(label.title, Qt::ElideRight, text.width()));
}

void BatchTimelineView::paintAxis(QPainter& painter) const
{
    painter.fillRect(0, m_layout.axisTop, viewport()->width(), viewport()->height() - m_layout.axisTop,
                     m_colors.background);
    painter.fillRect(m_layout.labelWidth, m_layout.axisTop, m_axis.width(), 1, m_colors.grid);
    painter.setPen(m_colors.dimText);
    painter.drawText(
        QRect(0, m_layout.axisTop + 1, m_layout.labelWidth - kSpace, viewport()->height() - m_layout.axisTop),
        Qt::AlignVCenter | Qt::AlignLeft, tr("step"));
    const std::uint64_t spacing = roundStep(kTickSpacing / m_axis.pixelsPerStep());
    const int height = viewport()->height() - m_layout.axisTop;
    for (std::uint64_t step = std::max<std::uint64_t>(1, m_axis.firstVisible() / spacing) * spacing;
         step <= m_axis.lastVisible(); step += spacing) {
        const int x = m_layout.labelWidth + static_cast<int>(m_axis.xOf(static_cast<double>(step) + 0.5));
        const QString text = number(static_cast<qint64>(step));
        const int half = fontMetrics().horizontalAdvance(text) / 2;
        if (x - half < m_layout.labelWidth || x + half > viewport()->width())
            continue;
        painter.fillRect(x, m_layout.axisTop, 1, 3, m_colors.mark);
        painter.drawText(QRect(x - half - 1, m_layout.axisTop + 1, 2 * half + 4, height),
                         Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

void BatchTimelineView::paintCursor(QPainter& painter) const
{
    const auto cursor = m_glass->cursor();
    if (!cursor || *cursor < m_axis.firstVisible() || *cursor > m_axis.lastVisible())
        return;
    const double left = m_axis.xOf(static_cast<double>(*cursor));
    const int width = std::max(1, static_cast<int>(m_axis.pixelsPerStep()) - 1);
    const QRect line(m_layout.labelWidth + static_cast<int>(std::floor(left)), 0, width, m_layout.axisTop);
    painter.setPen(m_colors.text);
    painter.setBrush(Qt::NoBrush);
    if (width < 4)
        painter.fillRect(line.left(), 0, 1, line.height(), m_colors.text);
    else
        painter.drawRect(line.adjusted(-1, 0, 0, -1));
}

const SequenceRow* BatchTimelineView::rowAt(int y) const
{
    if (y < m_layout.stripsBottom || y >= m_layout.axisTop)
        return nullptr;
    const auto index = static_cast<std::size_t>((y - m_layout.stripsBottom + verticalScrollBar()->value()) /
                                                m_layout.rowHeight);
    return index < m_rows.size() ? m_glass->batches().row(m_rows[index]) : nullptr;
}

std::optional<std::uint64_t> BatchTimelineView::stepAt(int x) const
{
    const double step = std::floor(m_axis.stepAt(x - m_layout.labelWidth));
    if (x < m_layout.labelWidth || step < static_cast<double>(m_glass->batches().firstStep()) ||
        step > static_cast<double>(m_glass->batches().lastStep()) || m_glass->batches().empty())
        return std::nullopt;
    return static_cast<std::uint64_t>(step);
}

QString BatchTimelineView::describeAt(QPoint point) const
{
    const SequenceRow* row = rowAt(point.y());
    const auto step = stepAt(point.x());
    const StepFigures* figures = step ? m_glass->batches().at(*step) : nullptr;
    if (!row)
        return figures ? describeStep(*figures) : QString();
    const QString title =
        tr("%1 (sequence %2)").arg(m_glass->directory().label(row->sequence).title).arg(row->sequence.value);
    if (!step)
        return title;
    const QString cell = describeCell(*row, *step);
    return cell.isEmpty()
               ? QString()
               : title + QLatin1Char('\n') + tr("Step %1: %2").arg(number(static_cast<qint64>(*step)), cell);
}

void BatchTimelineView::resizeEvent(QResizeEvent*)
{
    setUpMetrics();
    refresh();
}

void BatchTimelineView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    setUpMetrics();
    m_gate->request();
}

void BatchTimelineView::scrollContentsBy(int, int)
{
    viewport()->update();
}

void BatchTimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier)
        verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() / 2);
    else if (std::abs(delta.x()) > std::abs(delta.y()))
        m_axis.scroll(delta.x());
    else
        m_axis.zoom(std::pow(kZoomStep, delta.y() / 120.0), event->position().x() - m_layout.labelWidth);
    afterMove();
    event->accept();
}

void BatchTimelineView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = m_dragged = event->position().toPoint();
    m_dragging = false;
}

void BatchTimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (!(event->buttons() & Qt::LeftButton))
        return;
    m_dragging = m_dragging || (at - m_pressed).manhattanLength() >= kDragFrom;
    if (!m_dragging)
        return;
    viewport()->setCursor(Qt::ClosedHandCursor);
    if (at.x() != m_dragged.x())
        m_axis.scroll(at.x() - m_dragged.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - (at.y() - m_dragged.y()));
    m_dragged = at;
    afterMove();
}

void BatchTimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    viewport()->setCursor(Qt::OpenHandCursor);
    if (m_dragging || event->button() != Qt::LeftButton)
        return;
    const auto step = stepAt(event->position().toPoint().x());
    m_glass->setCursor(step == m_glass->cursor() ? std::nullopt : step);
}

void BatchTimelineView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(-1);
    case Qt::Key_Right:
        return moveCursor(1);
    case Qt::Key_PageUp:
        return moveCursor(-static_cast<int>(m_axis.width() / m_axis.pixelsPerStep()));
    case Qt::Key_PageDown:
        return moveCursor(static_cast<int>(m_axis.width() / m_axis.pixelsPerStep()));
    case Qt::Key_Up:
    case Qt::Key_Down:
        return verticalScrollBar()->triggerAction(event->key() == Qt::Key_Up
                                                      ? QAbstractSlider::SliderSingleStepSub
                                                      : QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_Plus:
        return zoom(kZoomStep);
    case Qt::Key_Minus:
        return zoom(1 / kZoomStep);
    case Qt::Key_End:
    case Qt::Key_Escape:
    case Qt::Key_F:
        return follow();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void BatchTimelineView::moveCursor(int steps)
{
    const BatchHistory& history = m_glass->batches();
    if (history.empty())
        return;
    const auto from =
        static_cast<qint64>(m_glass->cursor().value_or(history.lastStep() + (steps < 0 ? 1 : 0)));
    const auto to = static_cast<std::uint64_t>(std::clamp(
        from + steps, static_cast<qint64>(history.firstStep()), static_cast<qint64>(history.lastStep())));
    m_axis.reveal(to);
    m_glass->setCursor(to);
    announceCursor();
    afterMove();
}

void BatchTimelineView::announceCursor()
{
    const StepFigures* figures = m_glass->batches().at(m_glass->cursor().value_or(0));
    setAccessibleDescription(figures ? describeStep(*figures) : QString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

bool BatchTimelineView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = describeAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(text), viewport(),
                           QRect(help->pos(), QSize(2, 2)));
    return true;
}

} // namespace vitrine::ui
