// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/latency_histogram.h"

#include <QWidget>

namespace vitrine::ui {

/// One latency: bars, the median and the 95th percentile marked. On hover its definition, and what a bar
/// counts.
class HistogramView : public QWidget {
    Q_OBJECT
public:
    HistogramView(const QString& name, const QString& definition, QWidget* parent = nullptr);

    void setHistogram(const LatencyHistogram& histogram);
    [[nodiscard]] const LatencyHistogram& histogram() const { return m_histogram; }
    /// What is at a point, in words.
    [[nodiscard]] QString describeAt(QPoint point) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRect barsRect() const;
    [[nodiscard]] int xOf(double seconds) const;
    [[nodiscard]] QString summary() const;
    void paintBars(QPainter& painter) const;
    void paintMark(QPainter& painter, double seconds, Qt::PenStyle style) const;
    void paintScale(QPainter& painter) const;

    QString m_name;
    QString m_definition;
    LatencyHistogram m_histogram;
};

} // namespace vitrine::ui
