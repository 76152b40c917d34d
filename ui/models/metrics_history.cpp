// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/metrics_history.h"

#include "ui/models/batch_history.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vitrine::ui {

namespace {

std::int64_t binAt(double seconds)
{
    return static_cast<std::int64_t>(std::floor(seconds / MetricsHistory::kBinSeconds));
}

void addTokens(std::vector<SequenceTokens>& to, SequenceId sequence, double tokens)
{
    const auto at = std::ranges::lower_bound(to, sequence, {}, &SequenceTokens::sequence);
    if (at != to.end() && at->sequence == sequence)
        at->tokens += tokens;
    else if (to.size() < MetricsBin::kMostSequences)
        to.insert(at, {sequence, tokens});
}

/// The step's amounts as one bin, to be spread over those it touches.
MetricsBin wholeStep(const StepFigures& figures, double kvCacheUsage)
{
    MetricsBin bin;
    bin.steps = 1;
    bin.sampledTokens = figures.sampledTokens;
    bin.prefillTokens = figures.prefillTokens;
    bin.recomputeTokens = figures.recomputeTokens;
    bin.decodeTokens = figures.decodeTokens;
    bin.budgetTokens = figures.tokenBudget;
    bin.memberSteps = figures.members;
    bin.waitingSteps = figures.waiting;
    bin.kvCacheUsageSteps = kvCacheUsage;
    bin.planMicros = figures.planMicros;
    bin.forwardMicros = figures.forwardMicros;
    bin.sampleMicros = figures.sampleMicros;
    bin.longestMicros = bin.planMicros + bin.forwardMicros + bin.sampleMicros;
    bin.preemptions = figures.preemptions;
    return bin;
}

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

void MetricsBin::add(const MetricsBin& other, double share)
{
    steps += share * other.steps;
    sampledTokens += share * other.sampledTokens;
    prefillTokens += share * other.prefillTokens;
    recomputeTokens += share * other.recomputeTokens;
    decodeTokens += share * other.decodeTokens;
    budgetTokens += share * other.budgetTokens;
    memberSteps += share * other.memberSteps;
    waitingSteps += share * other.waitingSteps;
    kvCacheUsageSteps += share * other.kvCacheUsageSteps;
    planMicros += share * other.planMicros;
    forwardMicros += share * other.forwardMicros;
    sampleMicros += share * other.sampleMicros;
    longestMicros = std::max(longestMicros, other.longestMicros);
    preemptions += share * other.preemptions;
    for (const SequenceTokens& entry : other.bySequence)
        addTokens(bySequence, entry.sequence, share * entry.tokens);
}

LatencyWindow::LatencyWindow(Iterator begin, Iterator end)
    : m_begin(begin)
    , m_end(end)
{
}

double LatencyWindow::percentile(double share) const
{
    if (m_begin == m_end)
        return 0;
    std::vector<double> all = values();
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(all.size()))) - 1;
    const auto nth = all.begin() + std::clamp<std::ptrdiff_t>(rank, 0, std::ssize(all) - 1);
    std::nth_element(all.begin(), nth, all.end());
    return *nth;
}

std::vector<double> LatencyWindow::values() const
{
    std::vector<double> seconds;
    seconds.reserve(size());
    std::transform(m_begin, m_end, std::back_inserter(seconds),
                   [](const Latency& latency) { return latency.seconds; });
    return seconds;
}

LatencyLog::LatencyLog(std::size_t window, std::size_t most)
    : m_window(window)
    , m_most(most)
{
}

void LatencyLog::add(std::uint64_t step, double seconds)
{
    m_latencies.push_back({step, seconds});
    if (m_latencies.size() > m_most)
        m_latencies.pop_front();
}

LatencyWindow LatencyLog::at(std::uint64_t step) const
{
    return endingAt(std::partition_point(m_latencies.begin(), m_latencies.end(),
                                         [step](const Latency& latency) { return latency.step <= step; }));
}

LatencyWindow LatencyLog::newest() const
{
    return endingAt(m_latencies.end());
}

LatencyWindow LatencyLog::endingAt(LatencyWindow::Iterator end) const
{
    const auto before = end - m_latencies.begin();
    return {end - std::min(before, static_cast<std::ptrdiff_t>(m_window)), end};
}

double MetricsHistory::Totals::hitRate() const
{
    return ratio(hitTokens, queriedTokens);
}

double MetricsHistory::Totals::recomputeTax() const
{
    return ratio(recomputedTokens, computedTokens);
}

double MetricsHistory::Totals::slotUtilisation() const
{
    return ratio(memberSteps - paddingSteps, memberSteps);
}

MetricsHistory::MetricsHistory(std::size_t maxBins)
    : m_maxBins(maxBins)
{
}

void MetricsHistory::apply(const StepRecord& record, double kvCacheUsage)
{
    const StepFigures figures = stepFigures(record);
    ++m_totals.steps;
    m_totals.sampledTokens += figures.sampledTokens;
    m_totals.prefillTokens += figures.prefillTokens;
    m_totals.computedTokens += figures.scheduledTokens();
    m_totals.preemptions += figures.preemptions;
    m_totals.memberSteps += figures.members;
    m_totals.paddingSteps += figures.padding;

    MetricsBin whole = wholeStep(figures, kvCacheUsage);
    for (const StepEvent& event : record.events) {
        std::visit([this, &record](const auto& e) { take(e, record); }, event);
        if (const auto* member = std::get_if<event::Member>(&event); member && member->samples)
            addTokens(whole.bySequence, member->sequence, 1);
    }
    spread(whole, record.beginSeconds, record.endSeconds);
}

void MetricsHistory::spread(const MetricsBin& whole, double begin, double end)
{
    const std::int64_t first = binAt(begin);
    const std::int64_t last = std::max(first, binAt(end));
    if (first == last) {
        bin(first).add(whole);
        return;
    }
    // A recording may say that a step took a year: only what will be kept is filled.
    const std::int64_t firstKept = std::max(first, last + 1 - static_cast<std::int64_t>(m_maxBins));
    for (std::int64_t index = firstKept; index <= last; ++index) {
        const double from = std::max(begin, static_cast<double>(index) * kBinSeconds);
        const double to = std::min(end, static_cast<double>(index + 1) * kBinSeconds);
        if (to > from)
            bin(index).add(whole, (to - from) / (end - begin));
    }
}

MetricsBin& MetricsHistory::bin(std::int64_t index)
{
    const auto at = std::partition_point(m_bins.begin(), m_bins.end(),
                                         [index](const MetricsBin& bin) { return bin.index < index; });
    if (at != m_bins.end() && at->index == index)
        return *at;
    MetricsBin& added = *m_bins.insert(at, MetricsBin{.index = index});
    if (m_bins.size() <= m_maxBins)
        return added;
    m_bins.pop_front();
    return m_bins.back();
}

void MetricsHistory::take(const event::Arrive& arrive, const StepRecord&)
{
    LiveSequence& live = m_live[arrive.sequence];
    live.arrivalSeconds = arrive.seconds;
    live.promptTokens = arrive.promptTokens;
}

void MetricsHistory::take(const event::Member& member, const StepRecord& record)
{
    LiveSequence& live = m_live[member.sequence];
    if (!live.admitted)
        countAdmission(live, member);
    countComputed(live, member);
    if (member.samples)
        countSample(live, record);
}

void MetricsHistory::take(const event::Preempt& preempt, const StepRecord&)
{
    LiveSequence& live = m_live[preempt.sequence];
    live.recomputeEnd = std::max(live.recomputeEnd, live.computed);
    live.computed = 0;
    live.resident = false;
}

void MetricsHistory::take(const event::Finish& finish, const StepRecord& record)
{
    if (const auto live = m_live.find(finish.sequence); live != m_live.end()) {
        countAnswer(live->second, record);
        m_live.erase(live);
    }
    ++m_totals.finished;
}

void MetricsHistory::countAdmission(LiveSequence& live, const event::Member& member)
{
    live.admitted = true;
    if (live.arrivalSeconds < 0)
        return; // its arrival was lost: neither its prompt's length nor whether this is a resumption is known
    m_totals.queriedTokens += live.promptTokens;
    m_totals.hitTokens += member.cached;
}

void MetricsHistory::countComputed(LiveSequence& live, const event::Member& member)
{
    if (!live.resident)
        live.computed = member.cached;
    live.resident = true;
    const std::int64_t end = live.computed + member.tokens;
    m_totals.recomputedTokens += std::max<std::int64_t>(0, std::min(end, live.recomputeEnd) - live.computed);
    live.computed = end;
}

void MetricsHistory::countSample(LiveSequence& live, const StepRecord& record)
{
    if (!live.answered && live.arrivalSeconds >= 0)
        m_ttft.add(record.step, record.endSeconds - live.arrivalSeconds);
    if (live.answered && live.lastTokenSeconds >= 0)
        m_itl.add(record.step, record.endSeconds - live.lastTokenSeconds);
    if (!live.answered)
        live.firstTokenSeconds = record.endSeconds;
    ++live.tokens;
    live.answered = true;
    live.lastTokenSeconds = record.endSeconds;
}

/// Where steps were dropped its first token was not seen, and it is not there.
void MetricsHistory::countAnswer(const LiveSequence& live, const StepRecord& record)
{
    if (live.arrivalSeconds >= 0 && live.tokens >= 2)
        m_tpot.add(record.step,
                   (live.lastTokenSeconds - live.firstTokenSeconds) / static_cast<double>(live.tokens - 1));
}

void MetricsHistory::markGap()
{
    // Who had its first token in the gap, or ended in it, is not known.
    m_live.clear();
}

double MetricsHistory::firstSeconds() const
{
    return m_bins.empty() ? 0 : static_cast<double>(m_bins.front().index) * kBinSeconds;
}

double MetricsHistory::lastSeconds() const
{
    return m_bins.empty() ? 0 : static_cast<double>(m_bins.back().index + 1) * kBinSeconds;
}

void MetricsHistory::clear()
{
    *this = MetricsHistory(m_maxBins);
}

std::vector<MetricsBin> MetricsHistory::intervals(std::int64_t lastBin, int count, int binsPerInterval) const
{
    const auto width = static_cast<std::int64_t>(binsPerInterval);
    const std::int64_t lastInterval = lastBin / width;
    std::vector<MetricsBin> result(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        result[static_cast<std::size_t>(i)].index = (lastInterval - count + 1 + i) * width;
    const auto begin = std::partition_point(m_bins.begin(), m_bins.end(), [&result](const MetricsBin& bin) {
        return bin.index < result.front().index;
    });
    for (auto bin = begin; bin != m_bins.end() && bin->index / width <= lastInterval; ++bin)
        result[static_cast<std::size_t>((bin->index - result.front().index) / width)].add(*bin);
    return result;
}

} // namespace vitrine::ui
