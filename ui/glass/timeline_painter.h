// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/glass_colors.h"
#include "ui/glass/timeline_axis.h"
#include "ui/models/batch_history.h"

#include <QHash>
#include <QRect>

class QPainter;

namespace vitrine::ui {

/// Draws what a sequence did. Every phase has a shape of its own, beside its colour: see the legend.
class TimelinePainter {
public:
    TimelinePainter() = default;
    /// Without a directory nobody who waits says why in words: a legend needs none.
    explicit TimelinePainter(const GlassColors& colors, const SequenceDirectory* directory = nullptr);

    /// Heights of prefill chunks are shares of this many tokens.
    void setTokenBudget(int tokens);

    /// One row within `rect`, whose left edge is x = 0 of the axis. Costs O(pixels · log spans), however much
    /// is in view: what shares a pixel with something drawn is skipped.
    void paintRow(QPainter& painter, const QRect& rect, const TimelineAxis& axis, const SequenceRow& row,
                  int slot) const;

    /// `rect` may stand for several equal steps; `steps` tells how many, to part them where there is room.
    void paintCell(QPainter& painter, const QRect& rect, const BatchCell& cell, int slot,
                   int steps = 1) const;

    void paintEnd(QPainter& painter, const QRect& rect, EndReason reason) const;
    void paintPreemption(QPainter& painter, const QRect& rect) const;

private:
    /// Steps [first, end).
    struct StepSpan {
        std::uint64_t first;
        std::uint64_t end;
    };
    /// Returns the right edge of what it painted.
    int paintSpan(QPainter& painter, const QRect& rect, const TimelineAxis& axis, const BatchCell& cell,
                  int slot, StepSpan steps) const;
    void paintMarks(QPainter& painter, const QRect& rect, const TimelineAxis& axis,
                    const SequenceRow& row) const;
    void paintComputed(QPainter& painter, const QRect& rect, const BatchCell& cell, int slot) const;
    void paintPreempted(QPainter& painter, const QRect& rect, int slot) const;
    void paintWaiting(QPainter& painter, const QRect& rect, const BatchCell& cell, int slot) const;
    [[nodiscard]] int chunkHeight(int tokens, int available) const;
    [[nodiscard]] const QBrush& brush(int slot) const;

    GlassColors m_colors;
    const SequenceDirectory* m_directory = nullptr;
    int m_tokenBudget = 512;
    mutable QHash<int, QBrush> m_brushes;
};

} // namespace vitrine::ui
