// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/throughput_chart.h"

#include "ui/glass/ago_ticker.h"
#include "ui/models/latency_histogram.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr double kHeadroom = 1.05; ///< above the largest value

} // namespace

ThroughputChart makeChart(QCustomPlot* plot, const QString& title)
{
    ThroughputChart chart;
    chart.rect = new QCPAxisRect(plot);
    chart.rect->setMinimumSize(0, kSmallestChart);
    chart.rect->setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
    QCPAxis* time = chart.rect->axis(QCPAxis::atBottom);
    time->setTickLabels(false);
    time->setTicker(QSharedPointer<AgoTicker>::create());
    chart.ticks = QSharedPointer<QCPAxisTickerFixed>::create();
    chart.rect->axis(QCPAxis::atLeft)->setTicker(chart.ticks);
    chart.title = new QCPItemText(plot);
    chart.title->setClipToAxisRect(false);
    chart.title->position->setType(QCPItemPosition::ptAxisRectRatio);
    chart.title->position->setAxisRect(chart.rect);
    chart.title->position->setCoords(0, 0);
    chart.title->setPositionAlignment(Qt::AlignBottom | Qt::AlignLeft);
    chart.title->setPadding({0, 0, 0, 1});
    chart.title->setText(title);
    chart.cursor = new QCPItemStraightLine(plot);
    for (QCPItemPosition* point : chart.cursor->positions()) {
        point->setAxisRect(chart.rect);
        point->setAxes(time, chart.rect->axis(QCPAxis::atLeft));
    }
    chart.cursor->setClipAxisRect(chart.rect);
    chart.cursor->setVisible(false);
    return chart;
}

void styleAxis(QCPAxis* axis, const QFont& font, const GlassColors& colors)
{
    axis->setBasePen(QPen(colors.grid, 1));
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelFont(font);
    axis->setTickLabelColor(colors.dimText);
    axis->setTickLabelPadding(4);
    axis->setNumberFormat(QStringLiteral("g"));
    axis->setNumberPrecision(4);
    axis->grid()->setPen(QPen(colors.grid, 1));
    axis->grid()->setZeroLinePen(QPen(colors.grid, 1));
    axis->grid()->setSubGridVisible(false);
}

void fitValueAxis(ThroughputChart& chart, double largest, int lineHeight)
{
    const double wanted = roundedUp(largest > 0 ? largest : 1) * kHeadroom;
    // Grows at once, shrinks only when the curve has become small: a scale that jumps cannot be read.
    if (wanted > chart.top || wanted < chart.top * 0.55)
        chart.top = wanted;
    QCPAxis* axis = chart.rect->axis(QCPAxis::atLeft);
    // The rounded end always has its number: halves and quarters where there is room between the lines.
    const int lines = chart.rect->height() / lineHeight;
    const int parts = lines >= 10 ? 4 : lines >= 4 ? 2 : 1;
    chart.ticks->setTickStep(chart.top / kHeadroom / parts);
    axis->setRange(0, chart.top);
}

double largestOf(const QVector<double>& values)
{
    double largest = 0;
    for (const double value : values)
        if (value > largest) // false for NaN
            largest = value;
    return largest;
}

double quantile(QVector<double> values, double share)
{
    values.removeIf([](double value) { return std::isnan(value); });
    if (values.isEmpty())
        return 0;
    const auto place = values.begin() + std::lround(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

QVector<double> sum(const QVector<double>& a, const QVector<double>& b)
{
    QVector<double> result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::plus());
    return result;
}

} // namespace vitrine::ui
