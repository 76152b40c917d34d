// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr int kGapFrom = 6; ///< pixels a step from which single steps are parted
constexpr int kMarkSide = 7;

QRect fromBottom(const QRect& rect, int height)
{
    return rect.adjusted(0, rect.height() - std::min(height, rect.height()), 0, 0);
}

void frame(QPainter& painter, const QRect& rect, const QColor& color)
{
    painter.setPen(color);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

using SpanIterator = std::vector<BatchSpan>::const_iterator;

/// One past the last of the spans that look like `first` and follow each other: while somebody waits for the
/// same reason, the numbers behind it change at each step and the look does not.
SpanIterator endOfLook(const SequenceRow& row, SpanIterator first)
{
    const BatchCell& cell = first->cell;
    auto next = std::next(first);
    if (!isWaiting(cell.phase))
        return next;
    while (next != row.spans.end() && next->cell.phase == cell.phase && next->cell.reason == cell.reason &&
           next->first == std::prev(next)->end())
        ++next;
    return next;
}

} // namespace

TimelinePainter::TimelinePainter(const GlassColors& colors, const SequenceDirectory* directory)
    : m_colors(colors)
    , m_directory(directory)
{
}

void TimelinePainter::setTokenBudget(int tokens)
{
    m_tokenBudget = std::max(1, tokens);
}

void TimelinePainter::paintRow(QPainter& painter, const QRect& rect, const TimelineAxis& axis,
                               const SequenceRow& row, int slot) const
{
    const std::uint64_t last = axis.lastVisible();
    auto span = row.spansFrom(axis.firstVisible());
    while (span != row.spans.end() && span->first <= last) {
        const auto next = endOfLook(row, span);
        const std::uint64_t first = std::max(span->first, axis.firstVisible());
        const std::uint64_t end = std::min(std::prev(next)->end(), last + 1);
        const int right = paintSpan(painter, rect, axis, row.spanAt(end - 1)->cell, slot, {first, end});
        // On to the first span that reaches beyond the pixels that are painted now.
        span = std::max(next, row.spansFrom(std::min(axis.nearestStep(right), last + 1)));
    }
    paintMarks(painter, rect, axis, row);
}

int TimelinePainter::paintSpan(QPainter& painter, const QRect& rect, const TimelineAxis& axis,
                               const BatchCell& cell, int slot, StepSpan steps) const
{
    const int left = static_cast<int>(std::floor(axis.leftOf(steps.first)));
    const int right = std::max(left + 1, static_cast<int>(std::floor(axis.rightOf(steps.end - 1))));
    const int count = static_cast<int>(steps.end - steps.first);
    const bool apart = axis.unit() == TimelineAxis::Unit::Seconds && right - left >= kGapFrom * count;
    if (!apart || isWaiting(cell.phase)) {
        paintCell(painter, QRect(rect.left() + left, rect.top(), right - left, rect.height()), cell, slot,
                  count);
        return right;
    }
    for (std::uint64_t step = steps.first; step < steps.end; ++step) {
        const int from = static_cast<int>(std::floor(axis.leftOf(step)));
        const int to = std::max(from + 1, static_cast<int>(std::floor(axis.rightOf(step))));
        paintCell(painter, QRect(rect.left() + from, rect.top(), to - from, rect.height()), cell, slot);
    }
    return right;
}

void TimelinePainter::paintMarks(QPainter& painter, const QRect& rect, const TimelineAxis& axis,
                                 const SequenceRow& row) const
{
    const auto markRect = [&](std::uint64_t step) {
        const int middle = rect.left() + static_cast<int>((axis.leftOf(step) + axis.rightOf(step)) / 2);
        return QRect(middle - kMarkSide / 2, rect.top() + (rect.height() - kMarkSide) / 2, kMarkSide,
                     kMarkSide);
    };
    const auto visible = [&axis](std::uint64_t step) {
        return step >= axis.firstVisible() && step <= axis.lastVisible();
    };
    for (const Preemption& preemption : row.preemptions)
        if (visible(preemption.step))
            paintPreemption(painter, markRect(preemption.step));
    if (row.end && visible(row.end->step))
        paintEnd(painter, markRect(row.end->step), row.end->reason);
}

void TimelinePainter::paintCell(QPainter& painter, const QRect& rect, const BatchCell& cell, int slot,
                                int steps) const
{
    switch (cell.phase) {
    case SequencePhase::Waiting:
        return paintWaiting(painter, rect, cell, slot);
    case SequencePhase::Preempted:
        return paintPreempted(painter, rect, slot);
    case SequencePhase::Padding:
        // As high as the row: it is the area that was wasted.
        painter.fillRect(rect, m_colors.grid);
        painter.fillRect(rect, QBrush(m_colors.mark, Qt::DiagCrossPattern));
        return;
    case SequencePhase::Prefill:
    case SequencePhase::Decode:
    case SequencePhase::Recompute:
        break;
    }
    if (rect.width() < kGapFrom * steps)
        return paintComputed(painter, rect, cell, slot);
    for (int i = 0; i < steps; ++i) {
        const int left = rect.width() * i / steps;
        const int right = rect.width() * (i + 1) / steps;
        paintComputed(painter, QRect(rect.left() + left, rect.top(), right - left - 1, rect.height()), cell,
                      slot);
    }
}

void TimelinePainter::paintComputed(QPainter& painter, const QRect& rect, const BatchCell& cell,
                                    int slot) const
{
    if (cell.phase == SequencePhase::Decode) {
        painter.fillRect(fromBottom(rect, std::max(3, rect.height() * 2 / 5)), brush(slot));
        return;
    }
    const QColor hue = sequenceColor(slot, m_colors.shade);
    const int computed = chunkHeight(cell.tokens, rect.height());
    const QRect bar = fromBottom(rect, computed);
    if (cell.phase == SequencePhase::Recompute) {
        painter.fillRect(bar, mixed(hue, m_colors.background, 0.25));
        painter.fillRect(bar, QBrush(hue, Qt::BDiagPattern));
        frame(painter, bar, hue);
    } else {
        painter.fillRect(bar, brush(slot));
    }
    if (cell.cached > 0) {
        const int both = std::max(computed + 3, chunkHeight(cell.tokens + cell.cached, rect.height()));
        frame(painter, fromBottom(rect, both), hue);
    }
}

void TimelinePainter::paintWaiting(QPainter& painter, const QRect& rect, const BatchCell& cell,
                                   int slot) const
{
    frame(painter, rect, sequenceColor(slot, m_colors.shade));
    const QRect room = rect.adjusted(4, 0, -4, 0);
    const QFontMetrics metrics = painter.fontMetrics();
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room.width(); };
    const auto wait = cell.wait();
    if (!wait || !m_directory || room.width() < metrics.averageCharWidth() * 3)
        return;
    QString text = describeWait(*wait, *m_directory);
    if (!fits(text))
        text = waitWord(wait->reason);
    if (!fits(text))
        return;
    painter.setPen(m_colors.dimText);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignRight, text);
}

void TimelinePainter::paintPreempted(QPainter& painter, const QRect& rect, int slot) const
{
    const QRect band = fromBottom(rect, std::max(5, rect.height() / 2));
    const QColor hue = sequenceColor(slot, m_colors.shade);
    for (int x = band.left(); x <= band.right(); ++x)
        if (x % 4 < 2)
            painter.fillRect(x, band.top(), 1, band.height(), hue);
}

void TimelinePainter::paintPreemption(QPainter& painter, const QRect& rect) const
{
    // An arrow down, out of the batch.
    QPainterPath arrow;
    arrow.moveTo(rect.left(), rect.top());
    arrow.lineTo(rect.right() + 1, rect.top());
    arrow.lineTo(rect.center().x() + 0.5, rect.bottom() + 1);
    arrow.closeSubpath();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_colors.background, 1));
    painter.setBrush(m_colors.warning);
    painter.drawPath(arrow);
    painter.restore();
}

void TimelinePainter::paintEnd(QPainter& painter, const QRect& rect, EndReason reason) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_colors.background, 1));
    painter.setBrush(m_colors.text);
    switch (reason) {
    case EndReason::Stop:
        painter.drawEllipse(rect);
        break;
    case EndReason::Length:
        painter.drawRect(QRect(rect.center().x() - 1, rect.top() - 1, 4, rect.height() + 2));
        break;
    case EndReason::Aborted:
        painter.setPen(QPen(m_colors.text, 2));
        painter.drawLine(rect.topLeft(), rect.bottomRight());
        painter.drawLine(rect.topRight(), rect.bottomLeft());
        break;
    case EndReason::Error:
        painter.setBrush(m_colors.warning);
        painter.drawPolygon(
            QPolygon{{rect.bottomLeft(), rect.bottomRight(), {rect.center().x(), rect.top() - 1}}});
        break;
    }
    painter.restore();
}

int TimelinePainter::chunkHeight(int tokens, int available) const
{
    const double share = std::min(1.0, double(tokens) / m_tokenBudget);
    return static_cast<int>(std::lround(available * (0.5 + 0.5 * share)));
}

const QBrush& TimelinePainter::brush(int slot) const
{
    auto known = m_brushes.find(slot);
    if (known == m_brushes.end())
        known = m_brushes.insert(slot, sequenceBrush(slot, m_colors.shade, m_colors.background));
    return *known;
}

} // namespace vitrine::ui
