// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/fall_words.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace vitrine::ui {

class ElidedLabel;
class FigureStrip;
class GlassModel;
class RefreshGate;
class MemoryLimit;
class ThroughputDetails;
class ThroughputPlot;

/// The current figures, under them the charts, and where there is room or somebody asks for them the details.
class ThroughputPanel : public QWidget {
    Q_OBJECT
public:
    /// In the order in which the strip shows them.
    enum Figure : std::size_t { Decode, Prefill, Batch, KvCache, Ttft, Itl };

    explicit ThroughputPanel(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] FigureStrip* figures() const { return m_figures; }
    [[nodiscard]] ThroughputPlot* plot() const { return m_plot; }
    [[nodiscard]] ThroughputDetails* details() const { return m_details; }
    void setDetailsShown(bool shown);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createWidgets();
    void layOut();
    void refresh();
    void showFigures();
    void showFall();
    void showDetails();
    void followModel();

    GlassModel* m_glass;
    MemoryLimit* m_limit;
    QString m_limitOf;                  ///< the model's file, and its backend
    std::optional<bool> m_wantsDetails; ///< empty: by the room there is
    QToolButton* m_detailsButton = nullptr;
    ThroughputDetails* m_details = nullptr;
    FigureStrip* m_figures = nullptr;
    QComboBox* m_window = nullptr;
    QHBoxLayout* m_corner = nullptr; ///< over the first chart
    ElidedLabel* m_fall = nullptr;   ///< why the first curve fell
    FallWords m_shownFall;
    ThroughputPlot* m_plot = nullptr;
    RefreshGate* m_gate = nullptr;
};

} // namespace vitrine::ui
