// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QToolButton;

namespace vitrine::ui {

class FigureStrip;
class GlassModel;
class HistogramView;
class MemoryLimit;

/// Under the throughput charts: how latencies are spread, and what of the work was saved, done twice or
/// wasted.
class ThroughputDetails : public QWidget {
    Q_OBJECT
public:
    /// In the order in which the strip shows them.
    enum Figure : std::size_t { Tpot, HitRate, RecomputeTax, SlotUse, Limit };

    /// Both outlive it.
    ThroughputDetails(GlassModel* glass, MemoryLimit* limit, QWidget* parent = nullptr);

    [[nodiscard]] FigureStrip* figures() const { return m_figures; }
    [[nodiscard]] HistogramView* ttft() const { return m_ttft; }
    [[nodiscard]] HistogramView* itl() const { return m_itl; }
    [[nodiscard]] QToolButton* measureButton() const { return m_measure; }
    void refresh();

private:
    void createWidgets();
    void layOut();
    void measure();
    void updateButton();

    GlassModel* m_glass;
    MemoryLimit* m_limit;
    FigureStrip* m_figures = nullptr;
    HistogramView* m_ttft = nullptr;
    HistogramView* m_itl = nullptr;
    QToolButton* m_measure = nullptr;
};

} // namespace vitrine::ui
