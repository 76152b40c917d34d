// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshot.h"

#include "engine/error.h"

#include <QCoreApplication>
#include <QImageWriter>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <cstdio>

namespace vitrine {
namespace {

bool save(QWidget& window, const QString& path)
{
    QImageWriter writer(path, "png");
    if (writer.write(window.grab().toImage()))
        return true;
    const Error error{"the screenshot cannot be written: " + writer.errorString().toStdString(),
                      path.toStdString(), "choose a folder that can be written"};
    std::fprintf(stderr, "vitrine: %s\n", error.line().c_str());
    return false;
}

} // namespace

void saveScreenshotLater(QWidget& window, const QString& path, double seconds)
{
    QTimer::singleShot(static_cast<int>(seconds * 1000), &window,
                       [&window, path] { QCoreApplication::exit(save(window, path) ? 0 : 1); });
}

} // namespace vitrine
