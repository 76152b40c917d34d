// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDockWidget>

namespace vitrine::ui {

class BlockMapPanel;
class GlassModel;

class BlockMapDock : public QDockWidget {
    Q_OBJECT
public:
    /// `model` outlives the dock.
    explicit BlockMapDock(GlassModel* model, QWidget* parent = nullptr);

    [[nodiscard]] BlockMapPanel* panel() const { return m_panel; }

private:
    BlockMapPanel* m_panel;
};

} // namespace vitrine::ui
