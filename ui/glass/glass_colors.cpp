// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/glass_colors.h"

#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// The least of `text` on `background` that still has the contrast asked for.
QColor thinnedTo(double wanted, const QColor& text, const QColor& background)
{
    for (double share = 0.2; share < 1.0; share += 0.02)
        if (const QColor color = mixed(text, background, share); contrast(color, background) >= wanted)
            return color;
    return text;
}

struct ThinnedColors {
    QColor text, background; ///< what they come from
    QColor dimText, mark;
};

/// Found by trial, and asked for at each paint: those of the last theme are kept. GUI thread only.
const ThinnedColors& thinnedColors(const QColor& text, const QColor& background)
{
    static ThinnedColors last;
    if (last.text != text || last.background != background)
        last = {text, background, thinnedTo(5.5, text, background), thinnedTo(3.2, text, background)};
    return last;
}

} // namespace

double contrast(const QColor& a, const QColor& b)
{
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

GlassColors glassColors(const QPalette& palette)
{
    GlassColors colors;
    colors.shade = shadeOf(palette);
    colors.background = palette.color(QPalette::Base);
    colors.text = palette.color(QPalette::Text);
    const ThinnedColors& thinned = thinnedColors(colors.text, colors.background);
    colors.dimText = thinned.dimText;
    colors.mark = thinned.mark;
    colors.grid = mixed(colors.text, colors.background, 0.14);
    colors.empty = mixed(colors.text, colors.background, 0.06);
    colors.warning = warningColor(palette);
    return colors;
}

} // namespace vitrine::ui
