// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/sequence_palette.h"
#include "ui/models/settings.h"
#include "ui/theme/desktop_appearance.h"

#include <QColor>
#include <QFont>
#include <QPalette>

class QFontMetrics;
class QWidget;

namespace vitrine::ui {

/// Style and palette of the whole program. System: what the desktop gives; where it gives no style of its
/// own, Fusion in our light or dark palette, as the desktop prefers, or else whichever its palette is closer
/// to.
void applyTheme(ThemeChoice choice, ColorScheme desktop = ColorScheme::NoPreference);

[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

/// Colours that say something. Contrast with window and base at least 4.5.
[[nodiscard]] QColor errorColor(const QPalette& palette);
[[nodiscard]] QColor warningColor(const QPalette& palette);
/// Text that stands back: states, figures, hints. At least 4.5 as well.
[[nodiscard]] QColor quietText(const QPalette& palette);
/// Sets the colour of a widget's text, whichever role its surroundings make it use.
void setTextColor(QWidget& widget, const QColor& color);
/// Hairlines between areas.
[[nodiscard]] QColor hairline(const QPalette& palette);

/// The system's font, a step smaller: states, figures, hints.
[[nodiscard]] QFont smallFont(const QFont& font);
[[nodiscard]] QFont fixedFont(const QFont& font);

/// Width of `characters` of running text.
[[nodiscard]] int columnWidth(const QFontMetrics& metrics, int characters);

/// The grid: 8 between related things, 16 between groups.
inline constexpr int kGap = 8;
inline constexpr int kGroupGap = 16;
/// The reading column, in characters.
inline constexpr int kReadingColumn = 76;

} // namespace vitrine::ui
