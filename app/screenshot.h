// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QWidget;

namespace vitrine {

/// Saves the window as PNG after `seconds` and quits: exit code 0, or 1 and a line on standard error.
void saveScreenshotLater(QWidget& window, const QString& path, double seconds);

} // namespace vitrine
