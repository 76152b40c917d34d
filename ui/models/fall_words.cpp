// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/fall_words.h"

#include "ui/models/batch_history.h"
#include "ui/models/number_text.h"
#include "ui/models/step_events.h"
#include "ui/models/throughput_series.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(FallWords)
};

/// Less is a ripple. Of what is to be seen: a fall at the foot of a high curve is none.
constexpr double kSeenShare = 0.3;
constexpr double kSeenOfTop = 0.15;
/// Less is not why.
constexpr double kNoted = 0.2;
/// One step is why by itself: so many times as long as those before, and of the interval at least this share.
constexpr double kLongStep = 3;
constexpr double kLongShare = 0.2;
/// Of what happened, in a line: the first.
constexpr int kMostCounts = 1;

/// The steps that ended in an interval, and what they were on average.
struct Interval {
    StepRange steps;
    double count = 0;
    double seconds = 0;
    double sampled = 0;
    std::uint64_t longest = 0; ///< step
    double longestSeconds = 0;
    bool isKept = false; ///< none of its steps is forgotten

    [[nodiscard]] double millis() const { return 1000 * seconds / count; }
    [[nodiscard]] double perStep() const { return sampled / count; }
};

Interval intervalOf(const BatchHistory& history, double begin, double end)
{
    const auto& steps = history.steps();
    auto step = std::ranges::partition_point(
        steps, [begin](const StepFigures& figures) { return figures.endSeconds <= begin; });
    Interval interval;
    interval.isKept = !steps.empty() && steps.front().beginSeconds <= begin;
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

/// Why fewer tokens came in an interval than in the one before it, as far as the steps say it.
enum class Why { NotKept, NoStep, NothingBefore, LongStep, LongerSteps, FewerTokens, Pauses };

Why whyOf(const Interval& before, const Interval& now)
{
    if (!now.isKept)
        return Why::NotKept;
    if (now.count == 0)
        return Why::NoStep;
    if (before.count == 0)
        return Why::NothingBefore;
    if (1000 * now.longestSeconds >= kLongStep * before.millis() &&
        now.longestSeconds >= kLongShare * now.seconds)
        return Why::LongStep;
    // And that weighs no less than that fewer got a token.
    if (now.millis() > before.millis() * (1 + kNoted) &&
        now.millis() * now.perStep() >= before.millis() * before.perStep())
        return Why::LongerSteps;
    return now.perStep() < before.perStep() * (1 - kNoted) ? Why::FewerTokens : Why::Pauses;
}

QString figure(double value)
{
    const bool isWhole = value >= 10 || std::abs(value - std::round(value)) < 0.05;
    return QLocale().toString(value, 'f', isWhole ? 0 : 1);
}

/// What the steps were like, and what they were like before: in a sentence, and in a few words.
std::pair<QString, QString> stepsWords(Why why, const Interval& before, const Interval& now)
{
    switch (why) {
    case Why::NotKept:
    case Why::NothingBefore:
        return {};
    case Why::NoStep:
        return {Text::tr("No step ran."), Text::tr("no step ran")};
    case Why::LongStep: {
        const QString longest = figure(1000 * now.longestSeconds), usual = figure(before.millis());
        return {Text::tr("The step took %1 ms, those before %2 ms.").arg(longest, usual),
                Text::tr("a step of %1 ms, was %2").arg(longest, usual)};
    }
    case Why::LongerSteps:
        return {
            Text::tr("Steps took %1 ms, before %2 ms.").arg(figure(now.millis()), figure(before.millis())),
            Text::tr("%1 ms a step, was %2").arg(figure(now.millis()), figure(before.millis()))};
    case Why::FewerTokens:
        return {Text::tr("%1 requests got a token in each step, before %2.")
                    .arg(figure(now.perStep()), figure(before.perStep())),
                Text::tr("%1 tokens a step, was %2").arg(figure(now.perStep()), figure(before.perStep()))};
    case Why::Pauses:
        return {Text::tr("For a part of the time no step ran."), Text::tr("pauses between steps")};
    }
    return {};
}

/// What steps that took longer computed; otherwise first who had gone by then, at the end of the interval
/// before maybe.
std::vector<StepEvents> causes(const GlassModel& glass, Why why, const Interval& before, const Interval& now)
{
    if (why == Why::NotKept)
        return {};
    if (why == Why::LongStep)
        return {stepEvents(glass, {now.longest, now.longest})};
    StepEvents events = now.count > 0 ? stepEvents(glass, now.steps) : StepEvents{};
    if (before.count == 0 || why == Why::LongerSteps)
        return {events};
    StepEvents both = stepEvents(glass, {before.steps.first, std::max(before.steps.last, now.steps.last)});
    StepEvents gone;
    gone.thrownOut = std::move(both.thrownOut);
    gone.ended = std::move(both.ended);
    events.thrownOut.clear();
    events.ended.clear();
    return {gone, events};
}

/// The one that is why, or the first of those that are; 0: none that is known.
std::uint64_t stepOf(Why why, const Interval& now)
{
    if (why == Why::NotKept || why == Why::NoStep)
        return 0;
    return why == Why::LongStep ? now.longest : now.steps.first;
}

QString stepText(Why why, const Interval& now)
{
    const std::uint64_t step = stepOf(why, now);
    if (step == 0)
        return {};
    return why == Why::LongStep || now.steps.first == now.steps.last
               ? Text::tr("step %1: ").arg(number(step))
               : Text::tr("from step %1: ").arg(number(step));
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
    const Why why = whyOf(before, now);
    const QString what =
        stepText(why, now) +
        Text::tr("%1 → %2 tok/s").arg(number(std::llround(fall.from)), number(std::llround(fall.to)));
    QStringList sentences{Text::tr("%1.").arg(what)}, counts;
    for (const StepEvents& events : causes(glass, why, before, now)) {
        sentences << eventSentences(events);
        counts << eventCounts(events);
    }
    counts = counts.mid(0, kMostCounts);
    if (const auto [whole, brief] = stepsWords(why, before, now); !whole.isEmpty()) {
        sentences << whole;
        counts << brief;
    }
    const QString brief =
        counts.isEmpty() ? what
                         : Text::tr("%1: %2", "what fell, and why").arg(what, counts.join(Text::tr("; ")));
    return {stepOf(why, now), sentences.join(QLatin1Char(' ')), brief};
}

} // namespace vitrine::ui
