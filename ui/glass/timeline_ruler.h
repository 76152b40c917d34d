// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/glass_colors.h"
#include "ui/glass/timeline_axis.h"

class QPainter;
class QRect;

namespace vitrine::ui {

/// Numbers under the timeline: steps, or seconds of the engine's clock. `rect`: its left edge is x = 0 of the
/// axis.
void paintRuler(QPainter& painter, const QRect& rect, const TimelineAxis& axis, const GlassColors& colors);

} // namespace vitrine::ui
