// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace vitrine::ui {
namespace {

class TintedIconEngine : public QIconEngine {
public:
    TintedIconEngine(QString name, QPalette::ColorRole role)
        : m_name(std::move(name))
        , m_role(role)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        QSvgRenderer renderer(tintedSource(color(mode)));
        renderer.render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        const QString key = QStringLiteral("vitrine/%1/%2/%3x%4")
                                .arg(m_name, color(mode).name())
                                .arg(size.width())
                                .arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new TintedIconEngine(*this); }

private:
    QColor color(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, m_role);
        if (mode == QIcon::Selected)
            return palette.color(QPalette::HighlightedText);
        return palette.color(m_role);
    }

    QByteArray tintedSource(const QColor& color) const
    {
        QFile file(QStringLiteral(":/vitrine/icons/%1.svg").arg(m_name));
        const bool opened = file.open(QIODevice::ReadOnly);
        Q_ASSERT_X(opened, "themedIcon", qPrintable(m_name));
        return opened ? file.readAll().replace("#000", color.name().toLatin1()) : QByteArray();
    }

    QString m_name;
    QPalette::ColorRole m_role;
};

} // namespace

QIcon themedIcon(const QString& name, QPalette::ColorRole role)
{
    return QIcon(new TintedIconEngine(name, role));
}

QIcon applicationIcon()
{
    // As pixmaps: window managers ask which sizes there are.
    QIcon icon;
    const QIcon source = themedIcon(QStringLiteral("vitrine"));
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addPixmap(source.pixmap(size, size));
    return icon;
}

} // namespace vitrine::ui
