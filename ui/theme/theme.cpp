// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

namespace vitrine::ui {
namespace {

struct Ink {
    QColor window, base, alternate, button, text, quiet, line, accent, accentText, link;
};

QPalette paletteOf(const Ink& ink)
{
    QPalette palette(ink.button, ink.window);
    palette.setColor(QPalette::Window, ink.window);
    palette.setColor(QPalette::WindowText, ink.text);
    palette.setColor(QPalette::Base, ink.base);
    palette.setColor(QPalette::AlternateBase, ink.alternate);
    palette.setColor(QPalette::ToolTipBase, ink.alternate);
    palette.setColor(QPalette::ToolTipText, ink.text);
    palette.setColor(QPalette::PlaceholderText, ink.quiet);
    palette.setColor(QPalette::Text, ink.text);
    palette.setColor(QPalette::Button, ink.button);
    palette.setColor(QPalette::ButtonText, ink.text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::Mid, ink.line);
    palette.setColor(QPalette::Highlight, ink.accent);
    palette.setColor(QPalette::HighlightedText, ink.accentText);
    palette.setColor(QPalette::Link, ink.link);
    palette.setColor(QPalette::LinkVisited, ink.link);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(ink.text, ink.window, 0.45));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, ink.line);
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
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("fusion")));
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
    return paletteOf({.window = 0xf4f5f4,
                      .base = 0xffffff,
                      .alternate = 0xf0f2f3,
                      .button = 0xf8f9f9,
                      .text = 0x1d2126,
                      .quiet = 0x5a636d,
                      .line = 0xd3d8dc,
                      .accent = 0x2f6690,
                      .accentText = 0xffffff,
                      .link = 0x1f5f9a});
}

QPalette darkPalette()
{
    return paletteOf({.window = 0x202428,
                      .base = 0x181b1e,
                      .alternate = 0x262b30,
                      .button = 0x2c3237,
                      .text = 0xe3e7ea,
                      .quiet = 0x9fa9b2,
                      .line = 0x3b4248,
                      .accent = 0x3f7cab,
                      .accentText = 0xffffff,
                      .link = 0x7db8e8});
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
