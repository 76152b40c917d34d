// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>

#include <array>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QToolButton;

namespace vitrine::ui {

class BlockMapView;
class FreeRunsView;
class GlassModel;
class NestedBar;
class RefreshGate;
class SteadyLabel;
class SteadyParagraph;

/// The block map with the pool's figures above it, a sentence that reads its state aloud, how the free memory
/// lies, and the legend.
class BlockMapPanel : public QWidget {
    Q_OBJECT
public:
    explicit BlockMapPanel(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] BlockMapView* view() const { return m_view; }
    /// "active 41 %", "cached 12 %" …
    [[nodiscard]] QStringList summary() const;
    [[nodiscard]] QString sentence() const;
    void setLegendShown(bool shown);
    void setFreeRunsShown(bool shown);

private:
    void createWidgets();
    void createTools();
    void layOut();
    [[nodiscard]] QHBoxLayout* toolRow();
    void refresh();
    void showScale();

    GlassModel* m_glass;
    std::array<SteadyLabel*, 4> m_summary{};
    NestedBar* m_bar = nullptr;
    SteadyParagraph* m_sentence = nullptr;
    QLabel* m_warning = nullptr;
    QComboBox* m_order = nullptr;
    QLabel* m_scale = nullptr; ///< "16 a cell"
    QToolButton* m_zoomOut = nullptr;
    QToolButton* m_zoomIn = nullptr;
    QToolButton* m_freeRunsButton = nullptr;
    QToolButton* m_legendButton = nullptr;
    FreeRunsView* m_freeRuns = nullptr;
    QScrollArea* m_legend = nullptr; ///< a small window has no room for all of it
    BlockMapView* m_view = nullptr;
};

} // namespace vitrine::ui
