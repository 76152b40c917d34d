// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStatusBar>
#include <QTimer>

class QLabel;

namespace vitrine::ui {

class GlassModel;
class ModelState;

/// The engine in one line. Each figure keeps its place and width whatever its value.
class EngineStatusBar : public QStatusBar {
    Q_OBJECT
public:
    EngineStatusBar(const ModelState& model, const GlassModel& glass, QWidget* parent = nullptr);

    void setPaused(bool paused);

private:
    QLabel* addField(const QString& widest, const QString& tip);
    void refreshModel();
    void refreshFigures();
    void refreshHealth();

    const ModelState& m_model;
    const GlassModel& m_glass;
    QLabel* m_modelField;
    QLabel* m_usage;
    QLabel* m_requests;
    QLabel* m_rate;
    QLabel* m_health;
    QTimer m_refresh;
    bool m_paused = false;
};

} // namespace vitrine::ui
