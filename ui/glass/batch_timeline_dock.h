// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDockWidget>

namespace vitrine::ui {

class GlassModel;

class BatchTimelineDock : public QDockWidget {
    Q_OBJECT
public:
    /// `model` outlives the dock.
    explicit BatchTimelineDock(GlassModel* model, QWidget* parent = nullptr);
};

} // namespace vitrine::ui
