// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/engine_controls.h"

#include "engine/host/engine_host.h"
#include "ui/theme/icons.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace vitrine::ui {
namespace {

constexpr int kDelaysMillis[] = {0, 50, 200, 1000};

} // namespace

EngineControls::EngineControls(EngineHost& host, QObject* parent)
    : QObject(parent)
    , m_host(host)
    , m_pause(new QAction(this))
    , m_step(new QAction(themedIcon(QStringLiteral("step")), tr("Single &step"), this))
    , m_slow(new QAction(themedIcon(QStringLiteral("slow")), tr("S&low motion"), this))
{
    m_pause->setShortcut(Qt::Key_F5);
    m_step->setShortcut(Qt::Key_F6);
    m_step->setToolTip(tr("Compute one step, then pause again (F6)"));
    m_slow->setToolTip(tr("Wait after each step"));
    connect(m_pause, &QAction::triggered, this, [this] { setPaused(!m_paused); });
    connect(m_step, &QAction::triggered, this, [this] {
        if (!m_paused)
            setPaused(true);
        m_host.singleStep();
    });
    createSlowMenu();
    setPaused(false);
}

void EngineControls::setPaused(bool paused)
{
    m_pause->setText(paused ? tr("&Resume") : tr("&Pause"));
    m_pause->setIcon(themedIcon(paused ? QStringLiteral("resume") : QStringLiteral("pause")));
    m_pause->setToolTip(paused ? tr("Let the engine run on (F5)")
                               : tr("Pause the engine after this step (F5)"));
    if (paused == m_paused)
        return;
    m_paused = paused;
    if (paused)
        m_host.pause();
    else
        m_host.resume();
    emit pausedChanged(paused);
}

void EngineControls::createSlowMenu()
{
    auto* menu = new QMenu;
    connect(this, &QObject::destroyed, menu, &QObject::deleteLater);
    auto* group = new QActionGroup(menu);
    for (const int delay : kDelaysMillis) {
        QAction* action =
            menu->addAction(delay == 0 ? tr("Full speed") : tr("%L1 ms after each step").arg(delay));
        action->setCheckable(true);
        action->setChecked(delay == 0);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, delay] { m_host.setStepDelay(delay); });
    }
    m_slow->setMenu(menu);
}

} // namespace vitrine::ui
