// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

class QAction;
class QActionGroup;
class QMenu;

namespace vitrine {
class EngineHost;
}

namespace vitrine::ui {

/// Pause, single step and slow motion: the engine's time in the viewer's hands.
class EngineControls : public QObject {
    Q_OBJECT
public:
    explicit EngineControls(EngineHost& host, QObject* parent = nullptr);

    [[nodiscard]] bool isPaused() const { return m_paused; }
    [[nodiscard]] QAction* pauseAction() const { return m_pause; }
    [[nodiscard]] QAction* stepAction() const { return m_step; }
    /// With a menu of delays.
    [[nodiscard]] QAction* slowAction() const { return m_slow; }

signals:
    void pausedChanged(bool paused);

private:
    void setPaused(bool paused);
    void createSlowMenu();

    EngineHost& m_host;
    QAction* m_pause;
    QAction* m_step;
    QAction* m_slow;
    bool m_paused = false;
};

} // namespace vitrine::ui
