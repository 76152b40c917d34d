// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/throughput_series.h"

#include <qcustomplot.h>

#include <array>
#include <map>
#include <vector>

namespace vitrine::ui {

class GlassModel;

/// Four charts on one time axis: tokens generated a second (all, and each chat), prompt tokens a second,
/// batch size, and the time of a step split into its parts.
class ThroughputPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit ThroughputPlot(GlassModel* glass, QWidget* parent = nullptr);

    void setWindowSeconds(double seconds);
    /// Room above the first chart, for what stands in the upper right corner.
    void setCornerHeight(int pixels);
    /// Takes the newest data and asks for a replot. Costs O(points), bounded by the width in pixels.
    void refresh();

    [[nodiscard]] const ThroughputSeries& series() const { return m_series; }
    /// The values at a point, in words; empty outside.
    [[nodiscard]] QString describeAt(QPoint point) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum ChartIndex : std::size_t { Decode, Prefill, Batch, StepTime };
    static constexpr int kChartCount = 4;

    struct Chart {
        QCPAxisRect* rect = nullptr;
        QCPItemText* title = nullptr;
        QCPItemStraightLine* cursor = nullptr;
        QSharedPointer<QCPAxisTickerFixed> ticks; ///< of the value axis
        double top = 0;                           ///< its upper end
    };

    [[nodiscard]] static QString stepTimeTitle();
    void createCharts();
    Chart createChart(const QString& title);
    [[nodiscard]] int heightOf(int charts) const;
    [[nodiscard]] std::vector<ChartIndex> fittingCharts() const;
    void arrangeCharts();
    void createStepTimeGraphs();
    QCPGraph* addGraphTo(const Chart& chart);
    void followTheme();
    void styleAxis(QCPAxis* axis) const;
    void fitMargins();
    void showSeries();
    void showStepTimes();
    void showChats();
    void showCursor();
    void fitValueAxis(Chart& chart, double largest);

    GlassModel* m_glass;
    QCPMarginGroup* m_leftEdge; ///< the charts' left edges are in line
    ThroughputSeries m_series;
    double m_windowSeconds = 60;
    int m_cornerHeight = 0;
    std::array<Chart, kChartCount> m_charts;
    std::vector<ChartIndex> m_shown; ///< from the top
    QCPGraph* m_decodeGraph = nullptr;
    QCPGraph* m_prefillGraph = nullptr;
    QCPGraph* m_batchGraph = nullptr;
    QCPGraph* m_planGraph = nullptr; ///< the parts of a step are stacked: plan, plan + forward …
    QCPGraph* m_forwardGraph = nullptr;
    QCPGraph* m_sampleGraph = nullptr;
    QCPGraph* m_beyondGraph = nullptr; ///< marks where a step took longer than the axis reaches
    std::map<qint64, QCPGraph*> m_chatGraphs;
};

} // namespace vitrine::ui
