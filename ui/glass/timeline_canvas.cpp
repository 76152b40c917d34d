// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_canvas.h"

#include "ui/glass/timeline_links.h"
#include "ui/glass/timeline_ruler.h"
#include "ui/models/batch_description.h"
#include "ui/models/block_sharing.h"
#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/theme/draw_title.h"

#include <QLocale>
#include <QPainter>

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
/// The strips take this part of the height at most, and what the rows need not.
constexpr double kStripsShare = 0.36;
constexpr float kRestShade = 0.75F;
constexpr int kHolderDot = 7;

} // namespace

TimelineCanvas::TimelineCanvas(const GlassModel* glass)
    : m_glass(glass)
    , m_axis(&glass->batches())
{
}

void TimelineCanvas::layOut(const QSize& size, const QFont& font, const QPalette& palette)
{
    m_size = size;
    m_metrics = QFontMetrics(font);
    m_highlight = palette.color(QPalette::Highlight);
    m_colors = glassColors(palette);
    m_painter = TimelinePainter(m_colors, &m_glass->directory());
    const int line = m_metrics.height();
    const int largestLabel = kLargestLabelInLetters * m_metrics.averageCharWidth();
    m_layout.labelWidth = std::clamp(m_size.width() * 3 / 10, kSmallestLabel, largestLabel);
    m_layout.stripHeight = line + 2;
    m_layout.axisTop = m_size.height() - line - kSpace;
    const int room = std::min(static_cast<int>(kStripsShare * m_layout.axisTop),
                              m_layout.axisTop - kRowsInView * (line + kRowRoom));
    m_layout.strips = std::clamp(room / (m_layout.stripHeight + kSpace), 1, static_cast<int>(kStrips.size()));
    m_layout.stripsBottom = m_layout.strips * (m_layout.stripHeight + kSpace);
    m_layout.rowHeight = std::clamp((m_layout.axisTop - m_layout.stripsBottom) / kRowsInView, line + kRowRoom,
                                    line + kMostRowRoom);
    m_axis.setWidth(m_size.width() - m_layout.labelWidth);
}

void TimelineCanvas::refresh()
{
    const BatchHistory& history = m_glass->batches();
    m_axis.update();
    m_strips = stripColumns(history, m_axis);
    m_painter.setTokenBudget(history.empty() ? 0 : history.steps().back().tokenBudget);
    m_holders = ui::markedHolders(*m_glass);
    m_rows.clear();
    if (history.empty())
        return;
    for (const SequenceRow* row : history.rowsIn(m_axis.firstVisible(), m_axis.lastVisible()))
        m_rows.push_back(row->sequence);
}

QRect TimelineCanvas::plotRect(int top, int height) const
{
    return {m_layout.labelWidth, top, m_axis.width(), height};
}

int TimelineCanvas::rowTop(std::size_t row) const
{
    return m_layout.stripsBottom + static_cast<int>(row) * m_layout.rowHeight - m_scroll;
}

void TimelineCanvas::paint(QPainter& painter) const
{
    painter.fillRect(QRect(QPoint(), m_size), m_colors.background);
    if (m_glass->batches().empty())
        return;
    paintRows(painter);
    paintStrips(painter);
    paintRests(painter);
    paintAxis(painter);
    paintCursor(painter);
}

void TimelineCanvas::paintStrips(QPainter& painter) const
{
    const StepFigures* shown = m_glass->shownStepFigures();
    for (int i = 0; i < m_layout.strips; ++i) {
        const StripKind kind = kStrips[static_cast<std::size_t>(i)];
        const QRect strip = plotRect(i * (m_layout.stripHeight + kSpace), m_layout.stripHeight);
        const QRect label(0, strip.top(), m_layout.labelWidth - 2 * kSpace, strip.height());
        const QString value = shown ? stripValue(kind, *shown) : QString();
        const int room = label.width() - m_metrics.horizontalAdvance(value) - kSpace;
        painter.setPen(m_colors.dimText);
        painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft,
                         m_metrics.elidedText(stripName(kind), Qt::ElideRight, room));
        painter.setPen(m_colors.text);
        painter.drawText(label, Qt::AlignVCenter | Qt::AlignRight, value);
        painter.save();
        painter.setClipRect(strip, Qt::IntersectClip);
        paintStrip(painter, strip, kind, m_strips.columns, m_colors);
        painter.restore();
    }
}

void TimelineCanvas::paintRests(QPainter& painter) const
{
    QColor veil = m_colors.background;
    veil.setAlphaF(kRestShade);
    for (const RestSpan& rest : m_strips.rests) {
        const QRect column = plotRect(0, m_layout.axisTop).adjusted(rest.left, 0, 0, 0);
        painter.fillRect(QRect(column.left(), 0, rest.right - rest.left, column.height()), veil);
    }
}

void TimelineCanvas::paintRows(QPainter& painter) const
{
    const QRect area = rowsArea();
    painter.save();
    painter.setClipRect(area);
    std::vector<PlacedRow> placed;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const SequenceRow* row = m_glass->batches().row(m_rows[i]);
        const QRect whole(0, rowTop(i), m_size.width(), m_layout.rowHeight);
        if (row && whole.intersects(area))
            placed.push_back({row, plotRect(whole.top() + 2, whole.height() - 3),
                              m_glass->selection().includes(row->sequence), holdsMarked(row->sequence)});
    }
    for (const PlacedRow& row : placed)
        paintRow(painter, row);
    painter.setClipRect(area.adjusted(m_layout.labelWidth, 0, 0, 0));
    paintPreemptionLinks(painter, preemptionLinks(placed, m_axis), m_colors);
    painter.setClipRect(area);
    paintHiddenRows(painter);
    painter.restore();
}

void TimelineCanvas::paintRow(QPainter& painter, const PlacedRow& placed) const
{
    const QRect whole(0, placed.rect.top() - 2, m_size.width(), m_layout.rowHeight);
    if (placed.isChosen) {
        const QColor chosen = m_highlight;
        painter.fillRect(whole, mixed(chosen, m_colors.background, 0.14));
        painter.fillRect(whole.left(), whole.top(), 2, whole.height(), chosen);
    }
    painter.fillRect(whole.left(), whole.bottom(), whole.width(), 1, m_colors.empty);
    const QRect label = whole.adjusted(0, 0, m_layout.labelWidth - whole.width() - kSpace, 0);
    paintLabel(painter, label.adjusted(0, 0, placed.holdsMarked ? -kHolderDot - kSpace : 0, 0), *placed.row);
    if (placed.holdsMarked)
        paintHolderDot(
            painter,
            {label.right() - kHolderDot, label.center().y() - kHolderDot / 2, kHolderDot, kHolderDot},
            m_colors);
    painter.save();
    painter.setClipRect(placed.rect, Qt::IntersectClip);
    m_painter.paintRow(painter, placed.rect, m_axis, *placed.row,
                       m_glass->directory().colorSlot(placed.row->sequence));
    painter.restore();
}

bool TimelineCanvas::holdsMarked(SequenceId sequence) const
{
    return std::ranges::binary_search(m_holders, sequence);
}

void TimelineCanvas::paintHolderDot(QPainter& painter, const QRect& rect, const GlassColors& colors)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.text);
    painter.drawEllipse(rect);
    painter.restore();
}

QRect TimelineCanvas::rowsArea() const
{
    return {0, m_layout.stripsBottom, m_size.width(), m_layout.axisTop - m_layout.stripsBottom};
}

std::optional<TimelineCanvas::HiddenRows> TimelineCanvas::hiddenRows() const
{
    const int end = rowsArea().bottom() + 1;
    const int labelEnd = (m_layout.rowHeight + m_metrics.height()) / 2;
    if (m_rows.empty() || rowTop(m_rows.size() - 1) + labelEnd <= end)
        return std::nullopt;
    // Where it is told how many there are no label can be read.
    const int textTop = end - m_metrics.height() - 2;
    const auto first = std::ranges::find_if(m_rows, [&, i = std::size_t{0}](SequenceId) mutable {
        return rowTop(i++) + m_layout.rowHeight > textTop;
    });
    HiddenRows hidden{.top = std::min(textTop, rowTop(static_cast<std::size_t>(first - m_rows.begin())))};
    std::for_each(first, m_rows.end(), [&](SequenceId sequence) { count(sequence, hidden); });
    return hidden;
}

/// As the step's own numbers count: after its end.
void TimelineCanvas::count(SequenceId sequence, HiddenRows& hidden) const
{
    const SequenceRow& row = *m_glass->batches().row(sequence);
    const std::uint64_t step = m_glass->shownStep();
    const BatchSpan* span = row.spanAt(step);
    if (row.firstStep() > step)
        ++hidden.later;
    else if (!row.liveAt(step) || (span && span->cell.phase == SequencePhase::Padding))
        ++hidden.ended;
    else if (span && !isWaiting(span->cell.phase))
        ++hidden.running;
    else
        ++hidden.waiting; // far back in a long queue nobody has a span
}

/// Those who wait stand last, and may be below what there is room for.
void TimelineCanvas::paintHiddenRows(QPainter& painter) const
{
    const auto hidden = hiddenRows();
    if (!hidden)
        return;
    QStringList parts;
    const auto add = [&parts](int count, const QString& text) {
        if (count > 0)
            parts << text.arg(number(count));
    };
    add(hidden->running, tr("%1 run"));
    add(hidden->waiting, tr("%1 wait"));
    add(hidden->ended, tr("%1 ended"));
    add(hidden->later, tr("%1 later"));
    const QString text = tr("▾ %1 more: %2").arg(number(hidden->count()), parts.join(tr(", ")));
    // Over the whole width: bars without their label belong to nobody.
    QRect line = rowsArea();
    line.setTop(hidden->top);
    painter.fillRect(line, m_colors.background);
    painter.fillRect(line.left(), line.top(), line.width(), 1, m_colors.grid);
    painter.setPen(m_colors.text);
    painter.drawText(line.adjusted(kSpace, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
}

void TimelineCanvas::paintLabel(QPainter& painter, const QRect& rect, const SequenceRow& row) const
{
    const ChatLabel label = m_glass->directory().label(row.sequence);
    const QRect swatch(rect.left() + 1, rect.center().y() - kSwatchSide / 2, kSwatchSide, kSwatchSide);
    const bool isLive = row.liveAt(m_glass->shownStep());
    if (isLive) {
        painter.fillRect(swatch, sequenceBrush(label.colorSlot, m_colors.shade, m_colors.background));
    } else {
        painter.setPen(sequenceColor(label.colorSlot, m_colors.shade));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
    }
    const QRect text = rect.adjusted(kSwatchSide + 2 * kSpace, 0, 0, 0);
    painter.setPen(isLive ? m_colors.text : m_colors.dimText);
    drawTitle(painter, text, label.title);
}

void TimelineCanvas::paintAxis(QPainter& painter) const
{
    const int height = m_size.height() - m_layout.axisTop;
    painter.fillRect(0, m_layout.axisTop, m_size.width(), height, m_colors.background);
    painter.setPen(m_colors.dimText);
    painter.drawText(QRect(0, m_layout.axisTop + 1, m_layout.labelWidth - kSpace, height),
                     Qt::AlignVCenter | Qt::AlignLeft,
                     m_axis.unit() == TimelineAxis::Unit::Seconds ? tr("time, s") : tr("step"));
    paintRuler(painter, plotRect(m_layout.axisTop, height), m_axis, m_colors);
}

void TimelineCanvas::paintCursor(QPainter& painter) const
{
    const auto cursor = m_glass->cursor();
    if (!cursor || *cursor < m_axis.firstVisible() || *cursor > m_axis.lastVisible())
        return;
    const double left = m_axis.leftOf(*cursor);
    const int width = std::max(1, static_cast<int>(m_axis.rightOf(*cursor) - left) - 1);
    const QRect line(m_layout.labelWidth + static_cast<int>(std::floor(left)), 0, width, m_layout.axisTop);
    painter.setPen(m_colors.text);
    painter.setBrush(Qt::NoBrush);
    if (width < 4)
        painter.fillRect(line.left(), 0, 1, line.height(), m_colors.text);
    else
        painter.drawRect(line.adjusted(-1, 0, 0, -1));
}

const SequenceRow* TimelineCanvas::rowAt(int y) const
{
    if (y < m_layout.stripsBottom || y >= m_layout.axisTop)
        return nullptr;
    const auto index = static_cast<std::size_t>((y - m_layout.stripsBottom + m_scroll) / m_layout.rowHeight);
    return index < m_rows.size() ? m_glass->batches().row(m_rows[index]) : nullptr;
}

std::optional<StripKind> TimelineCanvas::stripAt(int y) const
{
    const int index = y / (m_layout.stripHeight + kSpace);
    return y < m_layout.stripsBottom ? std::optional(kStrips[static_cast<std::size_t>(index)]) : std::nullopt;
}

std::optional<std::uint64_t> TimelineCanvas::stepAt(int x) const
{
    if (x < m_layout.labelWidth || m_glass->batches().empty())
        return std::nullopt;
    return m_axis.stepAt(x - m_layout.labelWidth);
}

QString TimelineCanvas::describeAt(QPoint point) const
{
    const auto step = stepAt(point.x());
    const SequenceRow* row = rowAt(point.y());
    if (row)
        return describeRow(*row, step);
    const auto strip = stripAt(point.y());
    QStringList lines;
    if (strip)
        lines << tr("%1: %2").arg(stripName(*strip), stripDefinition(*strip));
    if (step)
        lines << describeStep(*m_glass->batches().at(*step))
              << describeEvents(m_glass->batches(), *step, m_glass->directory());
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString TimelineCanvas::describeRow(const SequenceRow& row, std::optional<std::uint64_t> step) const
{
    const QString title =
        tr("%1 (sequence %2)").arg(m_glass->directory().label(row.sequence).title).arg(row.sequence.value);
    if (!step)
        return holdsMarked(row.sequence)
                   ? title + QLatin1Char('\n') + tr("Dot: holds a block that is marked in the block map")
                   : title;
    const QString cell = describeCell(row, *step, m_glass->directory());
    return cell.isEmpty() ? QString()
                          : title + QLatin1Char('\n') + tr("Step %1: %2").arg(number(*step), cell);
}

std::optional<std::size_t> TimelineCanvas::chosenRow() const
{
    const auto chosen = std::ranges::find_if(
        m_rows, [this](SequenceId sequence) { return m_glass->selection().includes(sequence); });
    return chosen == m_rows.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(chosen - m_rows.begin()));
}

} // namespace vitrine::ui
