// SPDX-License-Identifier: GPL-3.0-or-later
// The thin curves above the timeline's rows, on the same axis.
#pragma once
#include "ui/glass/glass_colors.h"
#include "ui/glass/timeline_axis.h"
#include "ui/models/batch_history.h"

#include <QString>

#include <array>
#include <vector>

class QPainter;
class QRect;

namespace vitrine::ui {

enum class StripKind {
    Requests, ///< running requests solid, those that wait hollow on top of them
    KvCache,  ///< kv_cache_usage after the step
    Rate,     ///< tokens that came out, per second of the step; the highest in view fills the strip
    Budget,   ///< tokens computed, as a share of the budget: decode dark, everything else on top of it
};

/// In the order of their weight: where there is no room for all, the last are left out.
inline constexpr std::array kStrips{StripKind::Requests, StripKind::KvCache, StripKind::Rate,
                                    StripKind::Budget};

/// What falls into one column of pixels, or into one step where that is wider: the largest values, so that
/// nothing short is lost, and of the rate the mean.
struct StripColumn {
    int left = 0;
    int width = 1;
    int running = 0;
    int waiting = 0;
    int decodeTokens = 0;
    int scheduledTokens = 0;
    int tokenBudget = 1;
    double kvCacheUsage = 0;
    double sampledTokens = 0;
    double seconds = 0;

    [[nodiscard]] double rate() const { return seconds > 0 ? sampledTokens / seconds : 0; }
};

/// Pixels [left, right) in which no step ran.
struct RestSpan {
    int left = 0;
    int right = 0;
};

/// All that is in view, in one pass over its steps: O(steps in view), not more columns than pixels.
struct StripColumns {
    std::vector<StripColumn> columns;
    std::vector<RestSpan> rests; ///< those one can see
};

[[nodiscard]] StripColumns stripColumns(const BatchHistory& history, const TimelineAxis& axis);

/// `rect`: its left edge is x = 0 of the axis.
void paintStrip(QPainter& painter, const QRect& rect, StripKind kind, const std::vector<StripColumn>& columns,
                const GlassColors& colors);

[[nodiscard]] QString stripName(StripKind kind);
[[nodiscard]] QString stripDefinition(StripKind kind);
/// "10 + 18", "93 %": the strip's value in one step.
[[nodiscard]] QString stripValue(StripKind kind, const StepFigures& figures);

} // namespace vitrine::ui
