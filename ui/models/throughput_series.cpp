// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/throughput_series.h"

#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::ui {

namespace {

double mean(double sum, double count)
{
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

void addChats(ThroughputSeries& series, const MetricsBin& interval, qsizetype at,
              const SequenceDirectory& directory)
{
    for (const SequenceTokens& entry : interval.bySequence) {
        const ChatLabel label = directory.label(entry.sequence);
        const qint64 key = label.chat != 0 ? label.chat : -static_cast<qint64>(entry.sequence.value);
        ChatCurve& curve = series.chats[key];
        if (curve.tokensPerSecond.isEmpty())
            curve = {label, QVector<double>(series.size(), 0.0)};
        curve.tokensPerSecond[at] += entry.tokens / series.intervalSeconds;
    }
}

void addInterval(ThroughputSeries& series, const MetricsBin& interval)
{
    const double begin = static_cast<double>(interval.index) * MetricsHistory::kBinSeconds;
    series.seconds << begin + series.intervalSeconds / 2;
    series.decodeRate << interval.sampledTokens / series.intervalSeconds;
    series.prefillRate << interval.prefillTokens / series.intervalSeconds;
    series.batchSize << mean(interval.memberSteps, interval.steps);
    series.preemptions << interval.preemptions;
    series.planMillis << mean(interval.planMicros / 1000, interval.steps);
    series.forwardMillis << mean(interval.forwardMicros / 1000, interval.steps);
    series.sampleMillis << mean(interval.sampleMicros / 1000, interval.steps);
    series.longestMillis << (interval.steps > 0 ? interval.longestMicros / 1000
                                                : std::numeric_limits<double>::quiet_NaN());
}

/// Of a window of `bins`: `newest`, unless the cursor stands before that window; then it stands in its
/// middle.
std::int64_t lastBinInView(const GlassModel& glass, std::int64_t newest, int bins)
{
    const StepFigures* shown = glass.cursor() ? glass.shownStepFigures() : nullptr;
    if (!shown)
        return newest;
    const auto at = static_cast<std::int64_t>(shown->endSeconds / MetricsHistory::kBinSeconds);
    if (at > newest - bins)
        return newest;
    const std::int64_t oldest = glass.metrics().bins().front().index;
    return std::min(newest, std::max(at + bins / 2, oldest + bins - 1));
}

} // namespace

qsizetype ThroughputSeries::indexAt(double atSeconds) const
{
    if (seconds.isEmpty())
        return -1;
    const double offset = (atSeconds - seconds.front()) / intervalSeconds + 0.5;
    return offset < 0 || offset >= static_cast<double>(size()) ? -1 : static_cast<qsizetype>(offset);
}

ThroughputSpan throughputSpan(const GlassModel& glass, double windowSeconds, int maxPoints)
{
    const MetricsHistory& metrics = glass.metrics();
    if (metrics.bins().empty())
        return {};
    const int bins = static_cast<int>(std::ceil(windowSeconds / MetricsHistory::kBinSeconds));
    const int width = std::max(1, (bins + maxPoints - 1) / std::max(1, maxPoints));
    const std::int64_t newest = metrics.bins().back().index;
    // The last complete interval while the engine works.
    const std::int64_t last = glass.isIdle() ? newest : newest / width * width - 1;
    return {lastBinInView(glass, last, bins), last, std::max(1, bins / width), width};
}

ThroughputSeries throughputSeries(const GlassModel& glass, const ThroughputSpan& span)
{
    ThroughputSeries series;
    if (span.intervals == 0)
        return series;
    const int width = span.binsPerInterval;
    series.intervalSeconds = width * MetricsHistory::kBinSeconds;
    series.newestSeconds = static_cast<double>(span.newestBin / width * width) * MetricsHistory::kBinSeconds +
                           series.intervalSeconds / 2;
    const auto intervals = glass.metrics().intervals(span.lastBin, span.intervals, width);
    for (const MetricsBin& interval : intervals)
        addInterval(series, interval);
    for (std::size_t i = 0; i < intervals.size(); ++i)
        addChats(series, intervals[i], static_cast<qsizetype>(i), glass.directory());
    return series;
}

} // namespace vitrine::ui
