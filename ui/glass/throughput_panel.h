// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QComboBox;

namespace vitrine::ui {

class FigureStrip;
class GlassModel;
class RefreshGate;
class ThroughputPlot;

/// The current figures, and under them the charts.
class ThroughputPanel : public QWidget {
    Q_OBJECT
public:
    /// In the order in which the strip shows them.
    enum Figure : std::size_t { Decode, Prefill, Batch, KvCache, Ttft, Itl };

    explicit ThroughputPanel(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] FigureStrip* figures() const { return m_figures; }
    [[nodiscard]] ThroughputPlot* plot() const { return m_plot; }

private:
    void createWidgets();
    void layOut();
    void refresh();

    GlassModel* m_glass;
    FigureStrip* m_figures = nullptr;
    QComboBox* m_window = nullptr;
    ThroughputPlot* m_plot = nullptr;
    RefreshGate* m_gate = nullptr;
};

} // namespace vitrine::ui
