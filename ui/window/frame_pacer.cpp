// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/frame_pacer.h"

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>
#include <QWindow>

namespace vitrine::ui {

namespace {

bool isInput(QEvent::Type type)
{
    switch (type) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
    case QEvent::InputMethod:
    case QEvent::TouchBegin:
    case QEvent::TouchUpdate:
    case QEvent::TouchEnd:
    case QEvent::TabletPress:
    case QEvent::TabletMove:
    case QEvent::TabletRelease:
    case QEvent::DragMove:
    case QEvent::Resize:
        return true;
    default:
        return false;
    }
}

} // namespace

FramePacer::FramePacer(QWidget* window, std::chrono::milliseconds interval)
    : QObject(window)
    , m_window(window)
    , m_interval(interval)
{
    m_due.setSingleShot(true);
    m_due.setTimerType(Qt::PreciseTimer);
    connect(&m_due, &QTimer::timeout, this, &FramePacer::paint);
    window->installEventFilter(this);
}

bool FramePacer::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_window && event->type() == QEvent::UpdateRequest)
        return holdsFrame();
    if (object == m_window && event->type() == QEvent::Show)
        m_window->windowHandle()->installEventFilter(this); // input comes there first, whatever it is for
    if (isInput(event->type()))
        followHand();
    return false;
}

bool FramePacer::holdsFrame()
{
    if (m_hand.hasExpired() && !m_rest.hasExpired()) {
        if (!m_due.isActive())
            m_due.start(std::chrono::ceil<std::chrono::milliseconds>(m_rest.remainingTimeAsDuration()));
        return true;
    }
    m_due.stop();
    m_rest.setRemainingTime(m_interval);
    return false;
}

void FramePacer::followHand()
{
    m_hand.setRemainingTime(kHandRests);
    if (m_due.isActive())
        m_due.start(0);
}

void FramePacer::paint()
{
    m_rest = {};
    QEvent request(QEvent::UpdateRequest);
    QCoreApplication::sendEvent(m_window, &request);
}

} // namespace vitrine::ui
