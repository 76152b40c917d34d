// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/throttle.h"

#include <utility>

namespace vitrine::ui {

Throttle::Throttle(std::chrono::milliseconds interval, std::function<void()> act, QObject* parent)
    : QObject(parent)
    , m_act(std::move(act))
{
    m_interval.setSingleShot(true);
    m_interval.setInterval(interval);
    connect(&m_interval, &QTimer::timeout, this, &Throttle::actIfDue);
}

void Throttle::request()
{
    m_isRequested = true;
    actIfDue();
}

void Throttle::requestNow()
{
    m_interval.stop();
    request();
}

void Throttle::setHeld(bool held)
{
    m_isHeld = held;
    actIfDue();
}

void Throttle::actIfDue()
{
    if (!m_isRequested || m_isHeld || m_interval.isActive())
        return;
    m_isRequested = false;
    m_act();
    m_interval.start();
}

} // namespace vitrine::ui
