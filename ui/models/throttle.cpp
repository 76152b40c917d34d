// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/throttle.h"

#include <utility>

namespace vitrine::ui {

Throttle::Throttle(std::chrono::milliseconds interval, std::function<void()> act, QObject* parent)
    : QObject(parent)
    , m_interval(interval)
    , m_act(std::move(act))
{
    m_due.setSingleShot(true);
    connect(&m_due, &QTimer::timeout, this, &Throttle::actIfDue);
}

void Throttle::request()
{
    m_isRequested = true;
    actIfDue();
}

void Throttle::requestNow()
{
    m_restUntil = {};
    request();
}

void Throttle::setHeld(bool held)
{
    m_isHeld = held;
    actIfDue();
}

void Throttle::actIfDue()
{
    if (!m_isRequested || m_isHeld)
        return;
    if (!m_restUntil.hasExpired()) {
        if (!m_due.isActive())
            m_due.start(std::chrono::ceil<std::chrono::milliseconds>(m_restUntil.remainingTimeAsDuration()));
        return;
    }
    m_due.stop();
    m_isRequested = false;
    m_act();
    m_restUntil.setRemainingTime(m_interval);
}

} // namespace vitrine::ui
