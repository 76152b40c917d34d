// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_strips.h"

#include "ui/models/percent.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(TimelineStrips)
};

constexpr int kSmallestRest = 2; ///< pixels

int floorOf(double x)
{
    return static_cast<int>(std::floor(x));
}

void add(StripColumn& column, const StepFigures& step)
{
    column.running = std::max(column.running, step.running);
    column.waiting = std::max(column.waiting, step.waiting);
    column.kvCacheUsage = std::max(column.kvCacheUsage, static_cast<double>(step.kvCacheUsage));
    column.sampledTokens += step.sampledTokens;
    column.seconds += step.endSeconds - step.beginSeconds;
    if (step.scheduledTokens() < column.scheduledTokens)
        return;
    column.scheduledTokens = step.scheduledTokens();
    column.decodeTokens = step.decodeTokens;
    column.tokenBudget = std::max(1, step.tokenBudget);
}

int share(int height, double part, double whole)
{
    return std::clamp(static_cast<int>(std::ceil(height * part / whole)), 0, height);
}

class StripPainter {
public:
    StripPainter(QPainter& painter, const QRect& rect)
        : m_painter(painter)
        , m_rect(rect)
    {
    }

    /// From the lower edge up to `top` pixels, above the lowest `bottom`.
    void bar(const StripColumn& column, int bottom, int top, const QColor& color)
    {
        if (top > bottom)
            m_painter.fillRect(m_rect.left() + column.left, m_rect.bottom() + 1 - top, column.width,
                               top - bottom, color);
    }

private:
    QPainter& m_painter;
    QRect m_rect;
};

void paintRequests(StripPainter strip, int height, const std::vector<StripColumn>& columns,
                   const GlassColors& colors)
{
    int most = 1;
    for (const StripColumn& column : columns)
        most = std::max(most, column.running + column.waiting);
    for (const StripColumn& column : columns) {
        const int running = height * column.running / most;
        const int both = height * (column.running + column.waiting) / most;
        strip.bar(column, 0, running, colors.mark);
        if (both == running)
            continue;
        strip.bar(column, running, both, colors.grid); // hollow: its upper edge alone, over a tint
        strip.bar(column, both - 1, both, colors.text);
    }
}

void paintRate(StripPainter strip, int height, const std::vector<StripColumn>& columns,
               const GlassColors& colors)
{
    double most = 0;
    for (const StripColumn& column : columns)
        most = std::max(most, column.rate());
    if (most <= 0)
        return;
    for (const StripColumn& column : columns) {
        const int top = share(height, column.rate(), most);
        strip.bar(column, 0, top, colors.grid);
        strip.bar(column, top - 2, top, colors.text);
    }
}

QString number(double value)
{
    return QLocale().toString(value, 'f', value < 100 ? 1 : 0);
}

} // namespace

StripColumns stripColumns(const BatchHistory& history, const TimelineAxis& axis)
{
    StripColumns result;
    if (history.empty())
        return result;
    auto step = history.stepsFrom(axis.firstVisible());
    const std::uint64_t last = axis.lastVisible();
    while (step != history.steps().end() && step->step <= last) {
        StripColumn column;
        column.left = floorOf(axis.leftOf(step->step));
        int right = column.left + 1;
        if (!result.columns.empty()) {
            const StripColumn& before = result.columns.back();
            if (column.left - before.left - before.width >= kSmallestRest)
                result.rests.push_back({before.left + before.width, column.left});
        }
        for (; step != history.steps().end() && axis.leftOf(step->step) < column.left + 1; ++step) {
            add(column, *step);
            right = std::max(right, floorOf(axis.rightOf(step->step)));
        }
        column.width = right - column.left;
        result.columns.push_back(column);
    }
    return result;
}

void paintStrip(QPainter& painter, const QRect& rect, StripKind kind, const std::vector<StripColumn>& columns,
                const GlassColors& colors)
{
    painter.fillRect(rect, colors.empty);
    StripPainter strip(painter, rect);
    const int height = rect.height();
    switch (kind) {
    case StripKind::Requests:
        return paintRequests(strip, height, columns, colors);
    case StripKind::Rate:
        return paintRate(strip, height, columns, colors);
    case StripKind::KvCache:
        for (const StripColumn& column : columns)
            strip.bar(column, 0, share(height, column.kvCacheUsage, 1), colors.mark);
        return;
    case StripKind::Budget:
        for (const StripColumn& column : columns) {
            const int decode = share(height, column.decodeTokens, column.tokenBudget);
            strip.bar(column, decode, share(height, column.scheduledTokens, column.tokenBudget), colors.mark);
            strip.bar(column, 0, decode, colors.dimText);
        }
        return;
    }
}

QString stripName(StripKind kind)
{
    switch (kind) {
    case StripKind::Requests:
        return Text::tr("run + wait");
    case StripKind::KvCache:
        return Text::tr("KV cache");
    case StripKind::Rate:
        return Text::tr("step, tok/s");
    case StripKind::Budget:
        return Text::tr("budget");
    }
    return {};
}

QString stripDefinition(StripKind kind)
{
    switch (kind) {
    case StripKind::Requests:
        return Text::tr("Requests that run (solid) and that wait (hollow, on top).");
    case StripKind::KvCache:
        return Text::tr("kv_cache_usage: active blocks of all usable blocks, after the step.");
    case StripKind::Rate:
        return Text::tr("Tokens that came out of the step, divided by its duration.");
    case StripKind::Budget:
        return Text::tr("Tokens computed in the step, of those it may compute: decode dark, prompts on top.");
    }
    return {};
}

QString stripValue(StripKind kind, const StepFigures& figures)
{
    switch (kind) {
    case StripKind::Requests:
        return Text::tr("%1 + %2").arg(figures.running).arg(figures.waiting);
    case StripKind::KvCache:
        return Text::tr("%1 %").arg(wholePercent(static_cast<double>(figures.kvCacheUsage)));
    case StripKind::Rate: {
        const double seconds = figures.endSeconds - figures.beginSeconds;
        return number(seconds > 0 ? figures.sampledTokens / seconds : 0);
    }
    case StripKind::Budget:
        return Text::tr("%1 %").arg(wholePercent(
            figures.tokenBudget > 0 ? double(figures.scheduledTokens()) / figures.tokenBudget : 0));
    }
    return {};
}

} // namespace vitrine::ui
