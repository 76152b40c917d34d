// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/refresh_gate.h"

#include <QEvent>
#include <QWidget>

#include <utility>

namespace vitrine::ui {

RefreshGate::RefreshGate(QWidget* watched, std::chrono::milliseconds interval, std::function<void()> refresh)
    : QObject(watched)
    , m_watched(watched)
    , m_refresh(std::move(refresh))
{
    m_interval.setSingleShot(true);
    m_interval.setInterval(interval);
    connect(&m_interval, &QTimer::timeout, this, &RefreshGate::refreshIfDue);
    watched->installEventFilter(this);
}

void RefreshGate::request()
{
    m_requested = true;
    refreshIfDue();
}

void RefreshGate::refreshNow()
{
    m_interval.stop();
    request();
}

void RefreshGate::refreshIfDue()
{
    if (!m_requested || m_interval.isActive() || m_isHidden || !m_watched->isVisible())
        return;
    m_requested = false;
    m_refresh();
    m_interval.start();
}

bool RefreshGate::eventFilter(QObject* object, QEvent* event)
{
    const bool shown = event->type() == QEvent::Show;
    if (object == m_watched && (shown || event->type() == QEvent::Hide)) {
        m_isHidden = !shown;
        refreshIfDue();
    }
    return QObject::eventFilter(object, event);
}

} // namespace vitrine::ui
