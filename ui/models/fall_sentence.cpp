// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/fall_sentence.h"

#include "ui/models/batch_history.h"
#include "ui/models/number_text.h"
#include "ui/models/step_events.h"
#include "ui/models/throughput_series.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(FallSentence)
};

/// Less is a ripple. Of what is to be seen: a fall at the foot of a high curve is none.
constexpr double kSeenShare = 0.3;
constexpr double kSeenOfTop = 0.15;
/// Less is not why.
constexpr double kNoted = 0.2;
/// One step is why by itself: so many times as long as those before, and of the interval at least this share.
constexpr double kLongStep = 3;
constexpr double kLongShare = 0.2;
/// Of what happened, in a line.
constexpr int kMostCounts = 2;

/// The steps that ended in an interval, and what they were on average.
struct Interval {
    StepRange steps;
    double count = 0;
    double seconds = 0;
    double sampled = 0;
    std::uint64_t longest = 0; ///< step
    double longestSeconds = 0;

    [[nodiscard]] double millis() const { return 1000 * seconds / count; }
    [[nodiscard]] double perStep() const { return sampled / count; }
};

Interval intervalOf(const BatchHistory& history, double begin, double end)
{
    const auto& steps = history.steps();
    auto step = std::ranges::partition_point(
        steps, [begin](const StepFigures& figures) { return figures.endSeconds <= begin; });
    Interval interval;
    for (; step != steps.end() && (step->endSeconds <= end || step->beginSeconds < end); ++step) {
        if (interval.count == 0)
            interval.steps.first = step->step;
        interval.steps.last = step->step;
        const double seconds = step->endSeconds - step->beginSeconds;
        if (seconds > interval.longestSeconds) {
            interval.longest = step->step;
            interval.longestSeconds = seconds;
        }
        interval.count += 1;
        interval.seconds += seconds;
        interval.sampled += step->sampledTokens;
    }
    return interval;
}

/// Of the chart's intervals, both included.
Interval intervalOf(const BatchHistory& history, const ThroughputSeries& series, qsizetype first,
                    qsizetype last)
{
    const double half = series.intervalSeconds / 2;
    return intervalOf(history, series.seconds[first] - half, series.seconds[last] + half);
}

bool hasLongStep(const Interval& before, const Interval& now)
{
    return before.count > 0 && 1000 * now.longestSeconds >= kLongStep * before.millis() &&
           now.longestSeconds >= kLongShare * now.seconds;
}

/// And that weighs no less than that fewer got a token.
bool tookLonger(const Interval& before, const Interval& now)
{
    return before.count > 0 && now.count > 0 && now.millis() > before.millis() * (1 + kNoted) &&
           now.millis() * now.perStep() >= before.millis() * before.perStep();
}

QString figure(double value)
{
    const bool isWhole = value >= 10 || std::abs(value - std::round(value)) < 0.05;
    return QLocale().toString(value, 'f', isWhole ? 0 : 1);
}

/// What the steps were like, and what they were like before.
QString stepsText(const Interval& before, const Interval& now)
{
    if (now.count == 0)
        return Text::tr("No step ran.");
    if (before.count == 0)
        return {};
    if (hasLongStep(before, now))
        return Text::tr("The step took %1 ms, those before %2 ms.")
            .arg(figure(1000 * now.longestSeconds), figure(before.millis()));
    if (tookLonger(before, now))
        return Text::tr("Steps took %1 ms, before %2 ms.").arg(figure(now.millis()), figure(before.millis()));
    if (now.perStep() < before.perStep() * (1 - kNoted))
        return Text::tr("%1 requests got a token in each step, before %2.")
            .arg(figure(now.perStep()), figure(before.perStep()));
    return Text::tr("For a part of the time no step ran.");
}

/// The same in a few words.
QString stepsBrief(const Interval& before, const Interval& now)
{
    if (now.count == 0)
        return Text::tr("no step ran");
    if (before.count == 0)
        return {};
    if (hasLongStep(before, now))
        return Text::tr("a step of %1 ms, before %2")
            .arg(figure(1000 * now.longestSeconds), figure(before.millis()));
    if (tookLonger(before, now))
        return Text::tr("%1 ms a step, before %2").arg(figure(now.millis()), figure(before.millis()));
    if (now.perStep() < before.perStep() * (1 - kNoted))
        return Text::tr("%1 tokens a step, before %2").arg(figure(now.perStep()), figure(before.perStep()));
    return Text::tr("pauses between steps");
}

/// What steps that took longer computed; otherwise first who had gone by then, at the end of the interval
/// before maybe.
std::vector<StepEvents> causes(const GlassModel& glass, const Interval& before, const Interval& now)
{
    if (now.count > 0 && hasLongStep(before, now))
        return {stepEvents(glass, {now.longest, now.longest})};
    StepEvents events = now.count > 0 ? stepEvents(glass, now.steps) : StepEvents{};
    if (before.count == 0 || tookLonger(before, now))
        return {events};
    StepEvents both = stepEvents(glass, {before.steps.first, std::max(before.steps.last, now.steps.last)});
    StepEvents gone;
    gone.thrownOut = std::move(both.thrownOut);
    gone.ended = std::move(both.ended);
    events.thrownOut.clear();
    events.ended.clear();
    return {gone, events};
}

/// "Step 1,003: ", the one that is why, or the first of those that are.
QString stepText(const Interval& before, const Interval& now)
{
    if (now.count == 0)
        return {};
    const std::uint64_t step = hasLongStep(before, now) ? now.longest : now.steps.first;
    return Text::tr("step %1: ").arg(number(step));
}

} // namespace

std::optional<CurveFall> lastFall(const ThroughputSeries& series, qsizetype until)
{
    const QVector<double>& rate = series.decodeRate;
    const double top = rate.isEmpty() ? 0 : *std::ranges::max_element(rate);
    for (qsizetype end = until < 0 ? rate.size() - 1 : std::min(until, rate.size() - 1); end > 0; --end) {
        qsizetype begin = end;
        while (begin > 0 && rate[begin - 1] > rate[begin])
            --begin;
        const double fallen = rate[begin] - rate[end];
        if (fallen > 0 && fallen >= kSeenShare * rate[begin] && fallen >= kSeenOfTop * top)
            return CurveFall{begin, end, rate[begin], rate[end]};
    }
    return std::nullopt;
}

FallWords fallWords(const GlassModel& glass, const ThroughputSeries& series, const CurveFall& fall)
{
    const Interval now = intervalOf(glass.batches(), series, fall.begin + 1, fall.end);
    const Interval before = intervalOf(glass.batches(), series, fall.begin, fall.begin);
    const QString what =
        stepText(before, now) +
        Text::tr("%1 → %2 tok/s").arg(number(std::llround(fall.from)), number(std::llround(fall.to)));
    QStringList sentences{Text::tr("%1.").arg(what)};
    QStringList counts;
    for (const StepEvents& events : causes(glass, before, now)) {
        sentences << eventSentences(events);
        counts << eventCounts(events);
    }
    sentences << stepsText(before, now);
    counts = counts.mid(0, kMostCounts);
    counts << stepsBrief(before, now);
    sentences.removeAll(QString());
    counts.removeAll(QString());
    return {sentences.join(QLatin1Char(' ')),
            Text::tr("%1: %2", "what fell, and why").arg(what, counts.join(Text::tr("; ")))};
}

} // namespace vitrine::ui
