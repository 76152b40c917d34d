// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>

#include <array>

class QLabel;
class QToolButton;

namespace vitrine::ui {

class BlockMapView;
class GlassModel;
class Legend;
class NestedBar;
class RefreshGate;

/// The block map with the pool's figures above it, a sentence that reads its state aloud, and the legend.
class BlockMapPanel : public QWidget {
    Q_OBJECT
public:
    explicit BlockMapPanel(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] BlockMapView* view() const { return m_view; }
    /// "active 41 %", "cached 12 %" …
    [[nodiscard]] QStringList summary() const;
    [[nodiscard]] QString sentence() const;
    void setLegendShown(bool shown);

private:
    void createWidgets();
    void layOut();
    void refresh();

    GlassModel* m_glass;
    std::array<QLabel*, 4> m_summary{};
    NestedBar* m_bar = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_warning = nullptr;
    QToolButton* m_legendButton = nullptr;
    Legend* m_legend = nullptr;
    BlockMapView* m_view = nullptr;
    RefreshGate* m_gate = nullptr;
};

} // namespace vitrine::ui
