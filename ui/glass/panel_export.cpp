// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/panel_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

namespace vitrine::ui {

namespace {

constexpr int kFineness = 2; ///< pixels of a picture for one of the screen
constexpr int kSvgUnitsPerInch = 96;

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(PanelExport)
};

} // namespace

QByteArray toPng(QWidget& panel)
{
    QImage image(panel.size() * kFineness, QImage::Format_RGB32);
    image.setDevicePixelRatio(kFineness);
    image.fill(panel.palette().color(QPalette::Window));
    panel.render(&image, {}, {}, QWidget::DrawChildren | QWidget::DrawWindowBackground);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray toSvg(QWidget& panel)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(panel.size());
    generator.setViewBox(QRect(QPoint(), panel.size()));
    generator.setResolution(kSvgUnitsPerInch);
    generator.setTitle(panel.accessibleName());
    QPainter painter(&generator);
    painter.fillRect(panel.rect(), panel.palette().color(QPalette::Window));
    panel.render(&painter, {}, {}, QWidget::DrawChildren | QWidget::DrawWindowBackground);
    painter.end();
    return bytes;
}

Result<void> writeFile(const QString& path, const QByteArray& content)
{
    const auto refuse = [&path](const QString& reason) {
        return fail(Text::tr("The file could not be written: %1").arg(reason).toStdString(),
                    path.toStdString(), Text::tr("choose another folder, or make room").toStdString());
    };
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return refuse(file.errorString());
    // commit() alone does not see that the last bytes had no room.
    if (file.write(content) != content.size() || !file.flush()) {
        const QString reason = file.errorString();
        file.cancelWriting();
        return refuse(reason);
    }
    if (!file.commit())
        return refuse(file.errorString());
    return {};
}

} // namespace vitrine::ui
