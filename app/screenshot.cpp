// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshot.h"

#include "app/log.h"

#include <QCoreApplication>
#include <QImageWriter>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <utility>

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

constexpr int kLookMillis = 50;

} // namespace

QTimer& saveScreenshotLater(QWidget& window, const QString& path, double seconds,
                            std::function<bool()> isBusy)
{
    auto* timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, timer, path, isBusy = std::move(isBusy)] {
        timer->setInterval(kLookMillis);
        if (isBusy())
            return;
        timer->stop();
        QCoreApplication::exit(save(window, path) ? 0 : 1);
    });
    timer->start(static_cast<int>(seconds * 1000));
    return *timer;
}

} // namespace vitrine
