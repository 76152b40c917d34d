// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <functional>

class QTimer;
class QWidget;

namespace vitrine {

/// Saves the window as PNG after `seconds`, or as soon as `isBusy` says no after that, and quits: exit code
/// 0, or 1 and a line on standard error. Stopping the timer that it returns, the window's own, calls it off.
QTimer& saveScreenshotLater(QWidget& window, const QString& path, double seconds,
                            std::function<bool()> isBusy);

} // namespace vitrine
