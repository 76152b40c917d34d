// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/sequence_palette.h"

#include <QColor>
#include <QPalette>

namespace vitrine::ui {

/// The few greys that all panels of the glass share, from the system's palette.
struct GlassColors {
    Shade shade = Shade::Light;
    QColor background; ///< of drawing areas; means "free"
    QColor text;
    QColor dimText; ///< captions and units; contrast at least 4.5
    QColor mark;    ///< outlines that carry meaning; contrast at least 3
    QColor grid;    ///< lines that only guide the eye
    QColor empty;   ///< a cell in which nothing is
    QColor warning; ///< text and marks that ask for attention
};

[[nodiscard]] GlassColors glassColors(const QPalette& palette);

/// Of the colour of what holds it, in a slot that is not written yet.
inline constexpr double kUnwrittenShare = 0.18;

/// WCAG 2.1: 1 (none) to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

} // namespace vitrine::ui
