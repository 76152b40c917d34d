// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDockWidget>

namespace vitrine::ui {

class BatchTimelinePanel;
class GlassModel;

class BatchTimelineDock : public QDockWidget {
    Q_OBJECT
public:
    /// `model` outlives the dock.
    explicit BatchTimelineDock(GlassModel* model, QWidget* parent = nullptr);

    [[nodiscard]] BatchTimelinePanel* panel() const { return m_panel; }

private:
    BatchTimelinePanel* m_panel;
};

} // namespace vitrine::ui
