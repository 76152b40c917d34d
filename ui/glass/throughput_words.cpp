// SPDX-License-Identifier: GPL-3.0-or-later
// What the charts say in words; throughput_plot.cpp draws them.
#include "ui/glass/throughput_plot.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"

#include <QHelpEvent>
#include <QLocale>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

QString ThroughputPlot::decodeTitle() const
{
    const QString title = tr("generated, tok/s, mean of %L1 s").arg(m_series.intervalSeconds);
    const int room = m_charts[Decode].rect->width() - m_corner.width();
    const bool fits = m_series.size() > 0 && fontMetrics().horizontalAdvance(title) <= room;
    return fits ? title : tr("generated, tok/s");
}

/// With what there is room for of the parts, and `beyond`, where the axis does not reach.
QString ThroughputPlot::stepTimeTitle(const QString& beyond) const
{
    const QString parts = tr("step, ms:  ■ plan  ▒ forward  □ sample");
    for (const QString& title : {parts + tr("  │ longest") + beyond, parts + beyond})
        if (fontMetrics().horizontalAdvance(title) <= m_charts[StepTime].rect->width())
            return title;
    return tr("step, ms") + beyond;
}

FallWords ThroughputPlot::describeFall() const
{
    if (m_series.size() == 0)
        return {};
    if (!m_fall)
        return {0,
                tr("Each point is the mean of %L1 s; the timeline shows the single steps.")
                    .arg(m_series.intervalSeconds),
                tr("Each point is the mean of %L1 s.").arg(m_series.intervalSeconds)};
    const FallWords why = ui::fallWords(*m_glass, m_series, *m_fall);
    const StepFigures* step = m_glass->batches().at(why.step);
    const double half = m_series.intervalSeconds / 2;
    const double when = step ? step->endSeconds : m_series.seconds[m_fall->end] - half;
    const double ago = std::max(0.0, m_series.newestSeconds + half - when);
    return {why.step, dated(why.whole, ago), dated(why.brief, ago)};
}

/// When the curve fell, and why.
QString ThroughputPlot::dated(const QString& why, double ago) const
{
    if (m_glass->cursor())
        return tr("○ last fall, −%L1 s, %2").arg(ago, 0, 'f', 1).arg(why);
    if (m_glass->isReplay())
        return tr("○ −%L1 s, %2").arg(ago, 0, 'f', 1).arg(why);
    // While time passes the line is another once a second.
    return ago < 1 ? tr("○ just now, %1").arg(why) : tr("○ −%L1 s, %2").arg(ago, 0, 'f', 0).arg(why);
}

QString ThroughputPlot::describeAt(QPoint point) const
{
    if (point.x() < m_charts[Decode].rect->left() || point.x() > m_charts[Decode].rect->right())
        return {};
    const qsizetype at =
        m_series.indexAt(m_charts[Decode].rect->axis(QCPAxis::atBottom)->pixelToCoord(point.x()));
    if (at < 0)
        return {};
    const QLocale locale;
    const auto figure = [&locale](double value) {
        return std::isnan(value) ? QStringLiteral("–") : locale.toString(value, 'f', 1);
    };
    QStringList lines{tr("%1 s before the newest step, mean of %2 s")
                          .arg(figure(m_series.newestSeconds - m_series.seconds[at]),
                               locale.toString(m_series.intervalSeconds)),
                      tr("generated: %1 tok/s").arg(figure(m_series.decodeRate[at]))};
    if (const auto fall = lastFall(m_series, at); fall && fall->end == at)
        lines << ui::fallWords(*m_glass, m_series, *fall).whole;
    for (const auto& [chat, curve] : m_series.chats)
        if (curve.tokensPerSecond[at] > 0)
            lines << tr("   %1: %2 tok/s").arg(curve.label.title, figure(curve.tokensPerSecond[at]));
    if (m_bound && m_series.batchSize[at] > 0)
        lines
            << tr("limit of memory: %1 tok/s").arg(figure(m_bound->tokensPerSecond(m_series.batchSize[at])));
    if (m_series.preemptions[at] > 0)
        lines << tr("preemptions: %1").arg(locale.toString(std::ceil(m_series.preemptions[at])));
    lines << tr("prompt: %1 tok/s").arg(figure(m_series.prefillRate[at]))
          << tr("batch: %1").arg(figure(m_series.batchSize[at]))
          << tr("step: plan %1, forward %2, sample %3 ms; the longest %4 ms")
                 .arg(figure(m_series.planMillis[at]), figure(m_series.forwardMillis[at]),
                      figure(m_series.sampleMillis[at]), figure(m_series.longestMillis[at]));
    return lines.join(QLatin1Char('\n'));
}

bool ThroughputPlot::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QCustomPlot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = describeAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(text), this, QRect(help->pos(), QSize(2, 2)));
    return true;
}

} // namespace vitrine::ui
