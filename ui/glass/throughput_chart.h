// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/glass_colors.h"

#include <qcustomplot.h>

namespace vitrine::ui {

/// One of the charts over time: its axes, its title above it, the line of the shared cursor.
struct ThroughputChart {
    QCPAxisRect* rect = nullptr;
    QCPItemText* title = nullptr;
    QCPItemStraightLine* cursor = nullptr;
    QSharedPointer<QCPAxisTickerFixed> ticks; ///< of the value axis
    double top = 0;                           ///< its upper end
};

inline constexpr int kSmallestChart = 28; ///< pixels of height

[[nodiscard]] ThroughputChart makeChart(QCustomPlot* plot, const QString& title);
void styleAxis(QCPAxis* axis, const QFont& font, const GlassColors& colors);
/// Room for `largest`, with numbers where there is room for a line of text.
void fitValueAxis(ThroughputChart& chart, double largest, int lineHeight);

// Of curves; NaN where there is no value.
[[nodiscard]] double largestOf(const QVector<double>& values);
/// The value that `share` of the entries do not exceed; 0 where there are none.
[[nodiscard]] double quantile(QVector<double> values, double share);
[[nodiscard]] QVector<double> sum(const QVector<double>& a, const QVector<double>& b);

} // namespace vitrine::ui
