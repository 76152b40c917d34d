// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_strips.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

/// The largest value of each pixel column, over the steps that fall into it: nothing short is lost.
template<typename Value>
void forEachColumn(const BatchHistory& history, const TimelineAxis& axis, Value&& paintColumn)
{
    auto step = history.stepsFrom(axis.firstVisible());
    while (step != history.steps().end() && step->step <= axis.lastVisible()) {
        const int left = static_cast<int>(std::floor(axis.xOf(static_cast<double>(step->step))));
        const int right =
            std::max(left + 1, static_cast<int>(std::floor(axis.xOf(static_cast<double>(step->step + 1)))));
        StepFigures most = *step;
        for (++step; step != history.steps().end() && axis.xOf(static_cast<double>(step->step)) < left + 1;
             ++step) {
            most.running = std::max(most.running, step->running);
            most.waiting = std::max(most.waiting, step->waiting);
            if (step->scheduledTokens() > most.scheduledTokens()) {
                most.prefillTokens = step->prefillTokens;
                most.recomputeTokens = step->recomputeTokens;
                most.decodeTokens = step->decodeTokens;
            }
        }
        paintColumn(left, right - left, most);
    }
}

} // namespace

void paintRunningStrip(QPainter& painter, const QRect& rect, const BatchHistory& history,
                       const TimelineAxis& axis, const GlassColors& colors)
{
    int most = 1;
    forEachColumn(history, axis, [&most](int, int, const StepFigures& figures) {
        most = std::max(most, figures.running + figures.waiting);
    });
    painter.fillRect(rect, colors.empty);
    forEachColumn(history, axis, [&](int left, int width, const StepFigures& figures) {
        const int running = rect.height() * figures.running / most;
        const int both = rect.height() * (figures.running + figures.waiting) / most;
        painter.fillRect(rect.left() + left, rect.bottom() + 1 - running, width, running, colors.mark);
        if (both > running) // waiting is hollow: its upper edge alone, over a tint
            painter.fillRect(rect.left() + left, rect.bottom() + 1 - both, width, both - running,
                             colors.grid);
        if (both > running)
            painter.fillRect(rect.left() + left, rect.bottom() + 1 - both, width, 1, colors.text);
    });
}

void paintBudgetStrip(QPainter& painter, const QRect& rect, const BatchHistory& history,
                      const TimelineAxis& axis, const GlassColors& colors)
{
    painter.fillRect(rect, colors.empty);
    forEachColumn(history, axis, [&](int left, int width, const StepFigures& figures) {
        const int budget = std::max(1, figures.tokenBudget);
        const int decode =
            std::min(rect.height(), (rect.height() * figures.decodeTokens + budget - 1) / budget);
        const int all =
            std::min(rect.height(), (rect.height() * figures.scheduledTokens() + budget - 1) / budget);
        painter.fillRect(rect.left() + left, rect.bottom() + 1 - all, width, all, colors.mark);
        painter.fillRect(rect.left() + left, rect.bottom() + 1 - decode, width, decode, colors.dimText);
    });
    painter.fillRect(rect.left(), rect.top(), rect.width(), 1, colors.grid);
}

} // namespace vitrine::ui
