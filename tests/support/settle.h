// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>

#include <chrono>

namespace vitrine::test {

/// Lets the event loop run for so long. Afterwards all is done that timers were to do within this time,
/// however late the machine was: timers fire in the order of their times, and the one that ends the wait is
/// the last. Of QTest::qWait only the time is sure, and not that anything was done in it.
inline void settle(std::chrono::milliseconds time)
{
    QEventLoop loop;
    QTimer::singleShot(time, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
    for (int i = 0; i < 3; ++i) // what the timers asked for: a drawing, which asks for a layout, which paints
        QCoreApplication::processEvents();
}

} // namespace vitrine::test
