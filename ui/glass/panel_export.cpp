// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/panel_export.h"

#include "ui/models/export_file.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QWidget>

namespace vitrine::ui {

namespace {

constexpr int kFineness = 2; ///< pixels of a picture for one of the screen
constexpr int kSvgUnitsPerInch = 96;

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
    ExportFile file(path);
    file.write(content);
    return file.finish();
}

} // namespace vitrine::ui
