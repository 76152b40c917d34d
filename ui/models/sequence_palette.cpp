// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sequence_palette.h"

#include <QCoreApplication>
#include <QImage>

#include <array>
#include <cmath>

namespace vitrine::ui {

namespace {

struct Hue {
    QRgb light; ///< on a light background
    QRgb dark;
    const char* name;
};

// In the order in which chats get them: neighbours in time are far apart in hue.
constexpr std::array<Hue, kHueCount> kHues{{
    {0xff1881b6, 0xff85cfff, QT_TRANSLATE_NOOP("SequencePalette", "blue")},
    {0xff993750, 0xffcd5a65, QT_TRANSLATE_NOOP("SequencePalette", "rose")},
    {0xff0c5700, 0xff9de68f, QT_TRANSLATE_NOOP("SequencePalette", "green")},
    {0xff958a53, 0xfff6ce4c, QT_TRANSLATE_NOOP("SequencePalette", "sand")},
    {0xff3c33a8, 0xff7284e6, QT_TRANSLATE_NOOP("SequencePalette", "indigo")},
    {0xff0c9992, 0xff91dfce, QT_TRANSLATE_NOOP("SequencePalette", "teal")},
    {0xff73236c, 0xffaf6a9f, QT_TRANSLATE_NOOP("SequencePalette", "purple")},
    {0xff8c8b00, 0xff78870b, QT_TRANSLATE_NOOP("SequencePalette", "olive")},
}};

constexpr QRgb kNeutralOnLight = 0xff6b7078;
constexpr QRgb kNeutralOnDark = 0xff9aa0a8;
constexpr int kTextureCount = 4;
constexpr int kTexturePeriod = 4; // pixels; small enough to show inside one cell of the block map

bool cutByTexture(Texture texture, int x, int y)
{
    switch (texture) {
    case Texture::Plain:
        return false;
    case Texture::Stripes:
        return (x + y) % kTexturePeriod == 0;
    case Texture::Dots:
        return x % kTexturePeriod < 2 && y % kTexturePeriod < 2;
    case Texture::Grid:
        return x % kTexturePeriod == 0 || y % kTexturePeriod == 0;
    }
    return false;
}

} // namespace

Shade shadeOf(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? Shade::Dark : Shade::Light;
}

QColor sequenceColor(int slot, Shade shade)
{
    if (slot < 0)
        return QColor::fromRgb(shade == Shade::Dark ? kNeutralOnDark : kNeutralOnLight);
    const Hue& hue = kHues[static_cast<std::size_t>(slot % kHueCount)];
    return QColor::fromRgb(shade == Shade::Dark ? hue.dark : hue.light);
}

Texture sequenceTexture(int slot)
{
    return slot < 0 ? Texture::Plain : static_cast<Texture>(slot / kHueCount % kTextureCount);
}

QBrush sequenceBrush(int slot, Shade shade, const QColor& background)
{
    const QColor color = sequenceColor(slot, shade);
    const Texture texture = sequenceTexture(slot);
    if (texture == Texture::Plain)
        return color;
    QImage tile(kTexturePeriod, kTexturePeriod, QImage::Format_RGB32);
    for (int y = 0; y < kTexturePeriod; ++y)
        for (int x = 0; x < kTexturePeriod; ++x)
            tile.setPixelColor(x, y, cutByTexture(texture, x, y) ? background : color);
    return QBrush(tile);
}

Qt::PenStyle sequencePenStyle(int slot)
{
    static constexpr std::array kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return kStyles[static_cast<std::size_t>(sequenceTexture(slot))];
}

QString sequenceColorName(int slot)
{
    if (slot < 0)
        return QCoreApplication::translate("SequencePalette", "grey");
    const QString name = QCoreApplication::translate("SequencePalette",
                                                     kHues[static_cast<std::size_t>(slot % kHueCount)].name);
    switch (sequenceTexture(slot)) {
    case Texture::Plain:
        return name;
    case Texture::Stripes:
        return QCoreApplication::translate("SequencePalette", "%1, striped").arg(name);
    case Texture::Dots:
        return QCoreApplication::translate("SequencePalette", "%1, dotted").arg(name);
    case Texture::Grid:
        return QCoreApplication::translate("SequencePalette", "%1, checked").arg(name);
    }
    return name;
}

QColor mixed(const QColor& over, const QColor& under, double share)
{
    const auto channel = [share](int a, int b) {
        return static_cast<int>(std::lround(a * share + b * (1 - share)));
    };
    return {channel(over.red(), under.red()), channel(over.green(), under.green()),
            channel(over.blue(), under.blue())};
}

} // namespace vitrine::ui
