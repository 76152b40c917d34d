// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/histogram_view.h"

#include "ui/glass/glass_colors.h"
#include "ui/glass/tool_tip.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr int kBarLines = 3; ///< height of the bars, in lines of text

QString millis(double seconds)
{
    const double value = seconds * 1000;
    return QLocale().toString(value, 'f', value < 100 ? 1 : 0);
}

} // namespace

HistogramView::HistogramView(const QString& name, const QString& definition, QWidget* parent)
    : QWidget(parent)
    , m_name(name)
    , m_definition(definition)
{
    setAccessibleName(tr("Histogram of %1").arg(name));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HistogramView::setHistogram(const LatencyHistogram& histogram)
{
    const bool same = histogram.counts == m_histogram.counts && histogram.median == m_histogram.median &&
                      histogram.p95 == m_histogram.p95 && histogram.barSeconds == m_histogram.barSeconds;
    m_histogram = histogram;
    if (same)
        return;
    setAccessibleDescription(summary());
    update();
}

QSize HistogramView::sizeHint() const
{
    return {150, (kBarLines + 2) * fontMetrics().height() + 4};
}

QSize HistogramView::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QLatin1Char('m')) * 8, sizeHint().height()};
}

QRect HistogramView::barsRect() const
{
    const int line = fontMetrics().height();
    return rect().adjusted(0, line + 2, -1, -line - 2);
}

int HistogramView::xOf(double seconds) const
{
    const QRect bars = barsRect();
    const double share = m_histogram.end() > 0 ? std::min(1.0, seconds / m_histogram.end()) : 0;
    return bars.left() + static_cast<int>(share * bars.width());
}

/// "median 6.4, p95 31.2 ms".
QString HistogramView::summary() const
{
    return m_histogram.size == 0
               ? tr("none yet")
               : tr("median %1, p95 %2 ms").arg(millis(m_histogram.median), millis(m_histogram.p95));
}

void HistogramView::paintEvent(QPaintEvent*)
{
    const GlassColors colors = glassColors(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.background);
    const QRect title(0, 0, width(), fontMetrics().height());
    painter.setPen(colors.dimText);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, m_name);
    painter.setPen(colors.text);
    const int room = width() - fontMetrics().horizontalAdvance(m_name) - 8;
    painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter,
                     fontMetrics().elidedText(summary(), Qt::ElideRight, room));
    painter.fillRect(barsRect(), colors.empty);
    if (m_histogram.size == 0)
        return;
    paintBars(painter);
    paintMark(painter, m_histogram.median, Qt::SolidLine);
    paintMark(painter, m_histogram.p95, Qt::DashLine);
    paintScale(painter);
}

void HistogramView::paintBars(QPainter& painter) const
{
    const GlassColors colors = glassColors(palette());
    const QRect bars = barsRect();
    for (std::size_t i = 0; i < m_histogram.counts.size(); ++i) {
        const int count = m_histogram.counts[i];
        if (count == 0)
            continue;
        const int left = xOf(m_histogram.edge(i));
        const int right = xOf(m_histogram.edge(i + 1));
        const int height = std::max(1, bars.height() * count / m_histogram.most());
        painter.fillRect(left, bars.bottom() + 1 - height, std::max(1, right - left - 1), height,
                         colors.mark);
    }
}

void HistogramView::paintMark(QPainter& painter, double seconds, Qt::PenStyle style) const
{
    const GlassColors colors = glassColors(palette());
    const QRect bars = barsRect();
    const int x = std::min(xOf(seconds), bars.right());
    painter.setPen(QPen(colors.background, 3));
    painter.drawLine(x, bars.top(), x, bars.bottom());
    painter.setPen(QPen(colors.text, 1, style));
    painter.drawLine(x, bars.top(), x, bars.bottom());
}

void HistogramView::paintScale(QPainter& painter) const
{
    const QRect scale = rect().adjusted(0, barsRect().bottom() + 2, 0, 0);
    painter.setPen(glassColors(palette()).dimText);
    painter.drawText(scale, Qt::AlignLeft | Qt::AlignTop, QStringLiteral("0"));
    const QString end = millis(m_histogram.end());
    painter.drawText(scale, Qt::AlignRight | Qt::AlignTop,
                     m_histogram.isOpen ? tr("%1 ms and more").arg(end) : tr("%1 ms").arg(end));
}

QString HistogramView::describeAt(QPoint point) const
{
    QStringList lines{m_definition, tr("Solid line: median. Dashed line: 95th percentile. Longest: %1 ms.")
                                        .arg(millis(m_histogram.largest))};
    const QRect bars = barsRect();
    if (bars.contains(point) && !m_histogram.counts.empty()) {
        const auto bar = static_cast<std::size_t>((point.x() - bars.left()) * std::ssize(m_histogram.counts) /
                                                  bars.width());
        const std::size_t at = std::min(bar, m_histogram.counts.size() - 1);
        lines << tr("%1 to %2 ms: %3")
                     .arg(millis(m_histogram.edge(at)), millis(m_histogram.edge(at + 1)),
                          QLocale().toString(m_histogram.counts[at]));
    }
    return lines.join(QLatin1Char('\n'));
}

void HistogramView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

bool HistogramView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), plainToolTip(describeAt(help->pos())), this);
    return true;
}

} // namespace vitrine::ui
