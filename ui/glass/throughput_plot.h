// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/throughput_chart.h"
#include "ui/models/fall_words.h"
#include "ui/models/memory_limit.h"
#include "ui/models/throughput_series.h"

#include <qcustomplot.h>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace vitrine::ui {

class GlassModel;

/// Four charts on one time axis: tokens generated a second (all, and each chat), prompt tokens a second,
/// batch size, and the time of a step split into its parts.
class ThroughputPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit ThroughputPlot(GlassModel* glass, QWidget* parent = nullptr);

    /// For setWindowSeconds(): from the first step that is kept on.
    static constexpr double kEverything = 0;
    void setWindowSeconds(double seconds);
    /// Drawn as a line in the first chart from the next refresh on.
    void setBound(const std::optional<MemoryBound>& bound);
    /// Room above the first chart, for what stands in the upper right corner.
    void setCorner(QSize size);
    /// Takes the newest data and asks for a replot. Costs O(points), bounded by the width in pixels.
    void refresh();

    [[nodiscard]] const ThroughputSeries& series() const { return m_series; }
    /// Where the first curve fell last, before the cursor if there is one; it has a ring in the chart.
    [[nodiscard]] const std::optional<CurveFall>& fall() const { return m_fall; }
    /// When that was and why; else what a point of the curves is.
    [[nodiscard]] const FallWords& fallWords() const { return m_fallWords; }
    /// The values at a point, in words; empty outside.
    [[nodiscard]] QString describeAt(QPoint point) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum ChartIndex : std::size_t { Decode, Prefill, Batch, StepTime };
    static constexpr int kChartCount = 4;

    using Chart = ThroughputChart;

    [[nodiscard]] QString stepTimeTitle(const QString& beyond) const;
    void createCharts();
    [[nodiscard]] int heightOf(int charts) const;
    [[nodiscard]] std::vector<ChartIndex> fittingCharts() const;
    void arrangeCharts();
    void createStepTimeGraphs();
    QCPGraph* addGraphTo(const Chart& chart);
    void followTheme();
    void fitMargins();
    void showSeries();
    void showStepTimes();
    void showLongestSteps(const QVector<double>& mean);
    void showLimit();
    void showPreemptions();
    void showChats();
    void showCursor();
    void showFall();
    [[nodiscard]] FallWords describeFall() const;
    [[nodiscard]] QString dated(const QString& why, double ago) const;
    [[nodiscard]] QString decodeTitle() const;

    [[nodiscard]] double windowSeconds() const;

    GlassModel* m_glass;
    QCPMarginGroup* m_leftEdge; ///< the charts' left edges are in line
    ThroughputSpan m_span;
    ThroughputSeries m_series;
    double m_windowSeconds = 60;
    QSize m_corner;
    std::array<Chart, kChartCount> m_charts;
    std::vector<ChartIndex> m_shown; ///< from the top
    std::optional<MemoryBound> m_bound;
    std::optional<CurveFall> m_fall;
    FallWords m_fallWords;
    bool m_stale = true; ///< the charts are drawn anew although the intervals are the same
    QCPGraph* m_decodeGraph = nullptr;
    QCPGraph* m_limitGraph = nullptr;      ///< what memory bandwidth allows
    QCPGraph* m_preemptionGraph = nullptr; ///< marks where somebody was thrown out
    QCPGraph* m_fallGraph = nullptr;       ///< the ring where it fell
    QCPGraph* m_prefillGraph = nullptr;
    QCPGraph* m_batchGraph = nullptr;
    QCPGraph* m_planGraph = nullptr; ///< the parts of a step are stacked: plan, plan + forward …
    QCPGraph* m_forwardGraph = nullptr;
    QCPGraph* m_sampleGraph = nullptr;
    QCPGraph* m_longestGraph = nullptr; ///< lines up to a step that is far from the mean
    QCPGraph* m_beyondGraph = nullptr;  ///< marks where a step took longer than the axis reaches
    std::map<qint64, QCPGraph*> m_chatGraphs;
};

} // namespace vitrine::ui
