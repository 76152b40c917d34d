// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshot.h"

#include "app/log.h"

#include <QCoreApplication>
#include <QImageWriter>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace vitrine {
namespace {

bool save(QWidget& window, const QString& path)
{
    QImageWriter writer(path, "png");
    if (writer.write(window.grab().toImage()))
        return true;
    const Error error{"the screenshot cannot be written: " + writer.errorString().toStdString(),
                      path.toStdString(), "choose a folder that can be written"};
    printError(error);
    return false;
}

} // namespace

void saveScreenshotLater(QWidget& window, const QString& path, double seconds)
{
    QTimer::singleShot(static_cast<int>(seconds * 1000), &window,
                       [&window, path] { QCoreApplication::exit(save(window, path) ? 0 : 1); });
}

} // namespace vitrine
