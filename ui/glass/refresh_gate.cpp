// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/refresh_gate.h"

#include <QEvent>
#include <QWidget>

#include <utility>

namespace vitrine::ui {

RefreshGate::RefreshGate(QWidget* watched, std::chrono::milliseconds interval, std::function<void()> refresh)
    : Throttle(interval, std::move(refresh), watched)
{
    setHeld(!watched->isVisible());
    watched->installEventFilter(this);
}

/// A widget in a window that is minimised gets a Hide too.
bool RefreshGate::eventFilter(QObject* object, QEvent* event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        setHeld(event->type() == QEvent::Hide);
    return Throttle::eventFilter(object, event);
}

} // namespace vitrine::ui
