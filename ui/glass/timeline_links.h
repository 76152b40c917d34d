// SPDX-License-Identifier: GPL-3.0-or-later
// What a preemption led to, drawn over the rows of the timeline.
#pragma once
#include "ui/glass/glass_colors.h"
#include "ui/glass/timeline_axis.h"
#include "ui/models/batch_history.h"

#include <QPoint>
#include <QRect>

#include <vector>

class QPainter;

namespace vitrine::ui {

/// From a victim's row at the step of its preemption to the row of who got its blocks, and along its own row
/// to the step in which it was back in the batch. Points are in pixels.
struct PreemptionLink {
    SequenceId victim;
    SequenceId takenBy;    ///< 0: nobody, or nobody in view
    QPoint from;           ///< the middle of the victim's row
    int takenAtY = 0;      ///< the middle of the other's row
    int backAtX = -1;      ///< −1: not yet back, or not in view
    bool isChosen = false; ///< one of the two is selected
};

/// Where a row is drawn.
struct PlacedRow {
    const SequenceRow* row = nullptr;
    QRect rect; ///< its left edge is x = 0 of the axis
    bool isChosen = false;
    bool holdsMarked = false; ///< a block that somebody points at, with others maybe
};

/// Of all preemptions in view. Where they are many, only those of chosen rows: lines that cannot be followed
/// say nothing.
[[nodiscard]] std::vector<PreemptionLink> preemptionLinks(const std::vector<PlacedRow>& rows,
                                                          const TimelineAxis& axis);

void paintPreemptionLinks(QPainter& painter, const std::vector<PreemptionLink>& links,
                          const GlassColors& colors);

} // namespace vitrine::ui
