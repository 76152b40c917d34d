// SPDX-License-Identifier: GPL-3.0-or-later
// The thin curves above the timeline's rows, on the same axis.
#pragma once
#include "ui/glass/glass_colors.h"
#include "ui/glass/timeline_axis.h"
#include "ui/models/batch_history.h"

class QPainter;
class QRect;

namespace vitrine::ui {

/// Running requests solid, those that wait hollow on top of them.
void paintRunningStrip(QPainter& painter, const QRect& rect, const BatchHistory& history,
                       const TimelineAxis& axis, const GlassColors& colors);

/// Tokens computed, as a share of the budget: decode dark, everything else on top of it.
void paintBudgetStrip(QPainter& painter, const QRect& rect, const BatchHistory& history,
                      const TimelineAxis& axis, const GlassColors& colors);

} // namespace vitrine::ui
