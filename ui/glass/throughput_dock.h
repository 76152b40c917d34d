// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDockWidget>

namespace vitrine::ui {

class GlassModel;

class ThroughputDock : public QDockWidget {
    Q_OBJECT
public:
    /// `model` outlives the dock.
    explicit ThroughputDock(GlassModel* model, QWidget* parent = nullptr);
};

} // namespace vitrine::ui
