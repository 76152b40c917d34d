// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDockWidget>

namespace vitrine::ui {

class ThroughputPanel;
class GlassModel;

class ThroughputDock : public QDockWidget {
    Q_OBJECT
public:
    /// `model` outlives the dock.
    explicit ThroughputDock(GlassModel* model, QWidget* parent = nullptr);

    [[nodiscard]] ThroughputPanel* panel() const { return m_panel; }

private:
    ThroughputPanel* m_panel;
};

} // namespace vitrine::ui
