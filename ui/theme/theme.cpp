// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/theme/flat_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

#include <utility>

namespace vitrine::ui {
namespace {

/// A name for each colour of our palettes, and what it is in the light and in the dark one.
enum Ink { Window, Base, Alternate, Button, Text, Quiet, Line, Accent, AccentText, Link };
constexpr QRgb kInk[][2]{
    {0xfff4f5f4, 0xff202428}, // Window
    {0xffffffff, 0xff181b1e}, // Base
    {0xfff0f2f3, 0xff262b30}, // Alternate
    {0xfff8f9f9, 0xff2c3237}, // Button
    {0xff1d2126, 0xffe3e7ea}, // Text
    {0xff5a636d, 0xff9fa9b2}, // Quiet
    {0xffd3d8dc, 0xff3b4248}, // Line
    {0xff2f6690, 0xff3f7cab}, // Accent
    {0xffffffff, 0xffffffff}, // AccentText
    {0xff1f5f9a, 0xff7db8e8}, // Link
};

constexpr std::pair<QPalette::ColorRole, Ink> kRoles[]{
    {QPalette::Window, Window},
    {QPalette::WindowText, Text},
    {QPalette::Base, Base},
    {QPalette::AlternateBase, Alternate},
    {QPalette::ToolTipBase, Alternate},
    {QPalette::ToolTipText, Text},
    {QPalette::PlaceholderText, Quiet},
    {QPalette::Text, Text},
    {QPalette::Button, Button},
    {QPalette::ButtonText, Text},
    {QPalette::Mid, Line},
    {QPalette::Highlight, Accent},
    {QPalette::HighlightedText, AccentText},
    {QPalette::Link, Link},
    {QPalette::LinkVisited, Link},
};

QPalette paletteOf(Shade shade)
{
    const auto ink = [shade](Ink name) { return QColor(kInk[name][shade == Shade::Dark ? 1 : 0]); };
    QPalette palette(ink(Button), ink(Window));
    for (const auto& [role, name] : kRoles)
        palette.setColor(role, ink(name));
    palette.setColor(QPalette::BrightText, Qt::white);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(ink(Text), ink(Window), 0.45));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, ink(Line));
    return palette;
}

bool isDark(const QPalette& palette)
{
    return shadeOf(palette) == Shade::Dark;
}

/// What the desktop gave, before we changed anything.
struct Desktop {
    QString style;
    QPalette palette;
};

const Desktop& desktop()
{
    static const Desktop given{QApplication::style()->name(), QGuiApplication::palette()};
    return given;
}

bool hasOwnStyle(const Desktop& given)
{
    return given.style.compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0;
}

bool wantsDark(ThemeChoice choice, ColorScheme preferred, const Desktop& given)
{
    if (choice != ThemeChoice::System)
        return choice == ThemeChoice::Dark;
    return preferred == ColorScheme::NoPreference ? isDark(given.palette) : preferred == ColorScheme::Dark;
}

void useOwn(const QPalette& palette)
{
    QApplication::setStyle(new FlatStyle);
    QApplication::setPalette(palette);
}

} // namespace

void applyTheme(ThemeChoice choice, ColorScheme preferred)
{
    const Desktop& given = desktop();
    if (choice == ThemeChoice::System && hasOwnStyle(given)) {
        QApplication::setStyle(QStyleFactory::create(given.style));
        QApplication::setPalette(QPalette());
        return;
    }
    useOwn(wantsDark(choice, preferred, given) ? darkPalette() : lightPalette());
}

QPalette lightPalette()
{
    return paletteOf(Shade::Light);
}

QPalette darkPalette()
{
    return paletteOf(Shade::Dark);
}

QColor errorColor(const QPalette& palette)
{
    return isDark(palette) ? QColor(0xf08a80) : QColor(0xa8261c);
}

QColor warningColor(const QPalette& palette)
{
    return isDark(palette) ? QColor(0xe3b341) : QColor(0x7d5300);
}

QColor quietText(const QPalette& palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.68);
}

void setTextColor(QWidget& widget, const QColor& color)
{
    if (widget.palette().color(QPalette::WindowText) == color)
        return;
    QPalette palette;
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, color);
    widget.setPalette(palette);
}

QColor hairline(const QPalette& palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.16);
}

QFont smallFont(const QFont& font)
{
    QFont small = font;
    if (font.pointSizeF() > 0)
        small.setPointSizeF(font.pointSizeF() * 0.9);
    return small;
}

QFont fixedFont(const QFont& font)
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font.pointSizeF() > 0 ? font.pointSizeF() * 0.95 : fixed.pointSizeF());
    return fixed;
}

int columnWidth(const QFontMetrics& metrics, int characters)
{
    // The frequencies of letters in prose, not the average over the alphabet.
    static const QString sample = QStringLiteral(
        "it was the first time that anyone could see how an answer comes about, word for word");
    return metrics.horizontalAdvance(sample) * characters / static_cast<int>(sample.size());
}

} // namespace vitrine::ui
