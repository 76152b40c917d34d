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
    colors.dimText = thinnedTo(5.5, colors.text, colors.background);
    colors.mark = thinnedTo(3.2, colors.text, colors.background);
    colors.grid = mixed(colors.text, colors.background, 0.14);
    colors.empty = mixed(colors.text, colors.background, 0.06);
    colors.warning = warningColor(palette);
    return colors;
}

} // namespace vitrine::ui
