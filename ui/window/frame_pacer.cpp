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

FramePacer::FramePacer(QWidget* window, std::chrono::milliseconds interval,
                       std::chrono::milliseconds followFor)
    : QObject(window)
    , m_window(window)
    , m_followFor(followFor)
    , m_frames(
          interval, [this] { paint(); }, this)
{
    window->installEventFilter(this);
}

bool FramePacer::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_window && event->type() == QEvent::UpdateRequest) {
        if (m_paints)
            return false;
        m_followUntil.hasExpired() ? m_frames.request() : m_frames.requestNow();
        return true;
    }
    if (object == m_window && event->type() == QEvent::Show)
        m_window->windowHandle()->installEventFilter(this); // input comes there first, whatever it is for
    if (isInput(event->type()))
        followHand();
    return false;
}

void FramePacer::followHand()
{
    m_followUntil.setRemainingTime(m_followFor);
    if (m_frames.isRequested())
        m_frames.requestNow();
}

void FramePacer::paint()
{
    QEvent request(QEvent::UpdateRequest);
    m_paints = true;
    QCoreApplication::sendEvent(m_window, &request);
    m_paints = false;
}

} // namespace vitrine::ui
