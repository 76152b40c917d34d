// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/batch_history.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace vitrine::ui {

namespace {

SequencePhase phaseOf(MemberKind kind)
{
    switch (kind) {
    case MemberKind::Prefill:
        return SequencePhase::Prefill;
    case MemberKind::Decode:
        return SequencePhase::Decode;
    case MemberKind::Recompute:
        return SequencePhase::Recompute;
    case MemberKind::Padding:
        return SequencePhase::Padding;
    }
    return SequencePhase::Decode;
}

void count(StepFigures& figures, const event::Member& member)
{
    ++figures.members;
    figures.sampledTokens += member.samples ? 1 : 0;
    switch (member.kind) {
    case MemberKind::Prefill:
        figures.prefillTokens += member.tokens;
        break;
    case MemberKind::Decode:
        figures.decodeTokens += member.tokens;
        break;
    case MemberKind::Recompute:
        figures.recomputeTokens += member.tokens;
        break;
    case MemberKind::Padding:
        ++figures.padding;
        break;
    }
}

/// The batch, newest first; then who waits, the head of the queue first; then who has ended, newest first.
std::tuple<int, std::int64_t> displayOrder(const SequenceRow& row, std::uint64_t step)
{
    const auto id = static_cast<std::int64_t>(row.sequence.value);
    const BatchSpan* span = row.liveAt(step) ? row.lastSpanAt(step) : row.spanAt(step);
    if (!span)
        return {2, -static_cast<std::int64_t>(row.lastStep())};
    if (isWaiting(span->cell.phase))
        return {1, id};
    return {0, -id};
}

} // namespace

bool isWaiting(SequencePhase phase)
{
    return phase == SequencePhase::Waiting || phase == SequencePhase::Preempted;
}

StepFigures stepFigures(const StepRecord& record)
{
    StepFigures figures{.step = record.step,
                        .beginSeconds = record.beginSeconds,
                        .endSeconds = record.endSeconds,
                        .tokenBudget = record.tokenBudget,
                        .running = record.running,
                        .waiting = record.waiting,
                        .planMicros = record.planMicros,
                        .forwardMicros = record.forwardMicros,
                        .sampleMicros = record.sampleMicros};
    for (const StepEvent& event : record.events) {
        if (const auto* member = std::get_if<event::Member>(&event))
            count(figures, *member);
        else if (std::holds_alternative<event::Preempt>(event))
            ++figures.preemptions;
        else if (std::holds_alternative<event::Wait>(event))
            figures.planned = record.step;
    }
    if (figures.members > 0)
        figures.planned = record.step;
    return figures;
}

std::uint64_t SequenceRow::firstStep() const
{
    return spans.empty() ? (end ? end->step : 0) : spans.front().first;
}

std::uint64_t SequenceRow::lastStep() const
{
    const std::uint64_t lastSpan = spans.empty() ? 0 : spans.back().end() - 1;
    return end ? std::max(end->step, lastSpan) : lastSpan;
}

bool SequenceRow::liveAt(std::uint64_t step) const
{
    if (lost)
        return !spans.empty() && spans.back().end() > step; // heard of after it
    return !end || end->step > step;
}

const BatchSpan* SequenceRow::spanAt(std::uint64_t step) const
{
    const auto span = spansFrom(step);
    return span != spans.end() && span->first <= step ? &*span : nullptr;
}

const BatchSpan* SequenceRow::lastSpanAt(std::uint64_t step) const
{
    const auto next = std::partition_point(spans.begin(), spans.end(),
                                           [step](const BatchSpan& span) { return span.first <= step; });
    return next == spans.begin() ? nullptr : &*std::prev(next);
}

std::optional<std::uint64_t> SequenceRow::readmission(const Preemption& preemption) const
{
    const auto again = std::find_if(spansFrom(preemption.step), spans.end(), [&](const BatchSpan& span) {
        return span.first > preemption.step && !isWaiting(span.cell.phase);
    });
    return again == spans.end() ? std::nullopt : std::optional(again->first);
}

std::vector<BatchSpan>::const_iterator SequenceRow::spansFrom(std::uint64_t step) const
{
    return std::partition_point(spans.begin(), spans.end(),
                                [step](const BatchSpan& span) { return span.end() <= step; });
}

BatchHistory::BatchHistory(std::size_t maxSteps, std::size_t maxSpans)
    : m_maxSteps(maxSteps)
    , m_maxSpans(maxSpans)
{
}

void BatchHistory::apply(const StepRecord& record, double kvCacheUsage, double fragmentation)
{
    const std::uint64_t plannedBefore = m_steps.empty() ? 0 : m_steps.back().planned;
    m_steps.push_back(stepFigures(record));
    m_steps.back().planned = std::max(m_steps.back().planned, plannedBefore);
    m_steps.back().kvCacheUsage = static_cast<float>(kvCacheUsage);
    m_steps.back().fragmentation = static_cast<float>(fragmentation);
    m_stepCells.clear();
    m_taken.beginStep();
    for (const StepEvent& event : record.events)
        std::visit([this, &record](const auto& e) { take(e, record.step); }, event);
    // Who came waits from then on, though no plan may say so yet.
    for (const StepEvent& event : record.events)
        if (const auto* arrive = std::get_if<event::Arrive>(&event); arrive && row(arrive->sequence)->live())
            m_stepCells.try_emplace(arrive->sequence);
    for (const auto& [sequence, cell] : m_stepCells)
        append(touch(sequence), record.step, cell);
    trim();
}

void BatchHistory::take(const event::Arrive& arrive, std::uint64_t)
{
    SequenceRow& row = touch(arrive.sequence);
    row.promptTokens = arrive.promptTokens;
    row.arrivalSeconds = arrive.seconds;
}

void BatchHistory::take(const event::Member& member, std::uint64_t)
{
    touch(member.sequence).preempted = false;
    m_stepCells[member.sequence] = {
        .phase = phaseOf(member.kind), .tokens = member.tokens, .cached = member.cached};
}

void BatchHistory::take(const event::Wait& wait, std::uint64_t)
{
    const bool preempted = touch(wait.sequence).preempted;
    m_stepCells[wait.sequence] = {.phase = preempted ? SequencePhase::Preempted : SequencePhase::Waiting,
                                  .reason = wait.reason,
                                  .need = wait.need,
                                  .have = wait.have,
                                  .head = wait.head};
}

void BatchHistory::take(const event::Preempt& preempt, std::uint64_t step)
{
    SequenceRow& row = touch(preempt.sequence);
    row.preempted = true;
    row.preemptions.push_back({step, preempt.reason, preempt.freedBlocks});
    m_taken.on(preempt);
    // What it was to compute in this step is undone.
    m_stepCells[preempt.sequence] = {.phase = SequencePhase::Preempted};
}

void BatchHistory::take(const event::Finish& finish, std::uint64_t step)
{
    touch(finish.sequence).end = SequenceEnd{step, finish.reason};
}

void BatchHistory::take(const event::Alloc& alloc, std::uint64_t)
{
    const auto victim = m_taken.on(alloc);
    const auto found = victim ? m_rows.find(*victim) : m_rows.end();
    if (found == m_rows.end() || found->second.preemptions.empty())
        return;
    SequenceId& takenBy = found->second.preemptions.back().takenBy;
    if (takenBy == SequenceId{})
        takenBy = alloc.sequence;
}

SequenceRow& BatchHistory::touch(SequenceId sequence)
{
    SequenceRow& row = m_rows[sequence];
    row.sequence = sequence;
    row.lost = false;
    return row;
}

void BatchHistory::append(SequenceRow& row, std::uint64_t step, const BatchCell& cell)
{
    if (!row.spans.empty() && row.spans.back().end() == step && row.spans.back().cell == cell) {
        ++row.spans.back().count;
        return;
    }
    row.spans.push_back({step, 1, cell});
    ++m_spanCount;
}

void BatchHistory::markGap()
{
    m_taken.clear();
    for (auto& [sequence, row] : m_rows)
        if (row.live())
            row.lost = true;
}

void BatchHistory::clear()
{
    m_steps.clear();
    m_rows.clear();
    m_taken.clear();
    m_spanCount = 0;
}

void BatchHistory::trim()
{
    if (m_steps.size() > m_maxSteps)
        dropSteps(std::max(m_steps.size() - m_maxSteps, m_maxSteps / kTrimParts));
    while (m_spanCount > m_maxSpans && m_steps.size() > 1)
        dropSteps(m_steps.size() / kTrimParts + 1);
}

void BatchHistory::dropSteps(std::size_t count)
{
    m_steps.erase(m_steps.begin(),
                  m_steps.begin() + static_cast<std::ptrdiff_t>(std::min(count, m_steps.size() - 1)));
    const std::uint64_t first = firstStep();
    for (auto at = m_rows.begin(); at != m_rows.end();) {
        dropBefore(at->second, first);
        const bool gone = at->second.spans.empty() && at->second.lastStep() < first && !at->second.live();
        at = gone ? m_rows.erase(at) : std::next(at);
    }
}

void BatchHistory::dropBefore(SequenceRow& row, std::uint64_t first)
{
    const auto kept = row.spansFrom(first);
    m_spanCount -= static_cast<std::size_t>(kept - row.spans.cbegin());
    row.spans.erase(row.spans.cbegin(), kept);
    if (!row.spans.empty() && row.spans.front().first < first) {
        row.spans.front().count = static_cast<std::uint32_t>(row.spans.front().end() - first);
        row.spans.front().first = first;
    }
    std::erase_if(row.preemptions, [first](const Preemption& preemption) { return preemption.step < first; });
}

const StepFigures* BatchHistory::at(std::uint64_t step) const
{
    const auto found = stepsFrom(step);
    return found != m_steps.end() && found->step == step ? &*found : nullptr;
}

std::deque<StepFigures>::const_iterator BatchHistory::stepsFrom(std::uint64_t step) const
{
    return std::partition_point(m_steps.begin(), m_steps.end(),
                                [step](const StepFigures& figures) { return figures.step < step; });
}

const StepFigures* BatchHistory::atTime(double seconds) const
{
    const auto next =
        std::partition_point(m_steps.begin(), m_steps.end(), [seconds](const StepFigures& figures) {
            return figures.beginSeconds <= seconds;
        });
    return next == m_steps.begin() ? nullptr : &*std::prev(next);
}

const SequenceRow* BatchHistory::row(SequenceId sequence) const
{
    const auto found = m_rows.find(sequence);
    return found == m_rows.end() ? nullptr : &found->second;
}

std::vector<const SequenceRow*> BatchHistory::rowsIn(std::uint64_t first, std::uint64_t last) const
{
    // Each row's place is looked up once: there may be thousands.
    std::vector<std::pair<std::tuple<int, std::int64_t>, const SequenceRow*>> placed;
    for (const auto& [sequence, row] : m_rows)
        if (!row.spans.empty() && row.firstStep() <= last && row.lastStep() >= first)
            placed.emplace_back(displayOrder(row, last), &row);
    std::ranges::stable_sort(placed, std::less(), [](const auto& entry) { return entry.first; });
    std::vector<const SequenceRow*> rows;
    for (const auto& entry : placed)
        rows.push_back(entry.second);
    return rows;
}

std::vector<const SequenceRow*> BatchHistory::waitingAt(std::uint64_t step) const
{
    std::vector<const SequenceRow*> waiting;
    for (const auto& [sequence, row] : m_rows) {
        const BatchSpan* span = row.liveAt(step) ? row.spanAt(step) : nullptr;
        if (span && isWaiting(span->cell.phase))
            waiting.push_back(&row);
    }
    return waiting;
}

bool BatchHistory::isOutdated(const BatchCell& cell, std::uint64_t step) const
{
    const SequenceRow* head = cell.reason == WaitReason::BehindHead ? row(cell.head) : nullptr;
    return head != nullptr && !head->liveAt(step);
}

std::optional<SequenceActivity> BatchHistory::activityAt(SequenceId sequence, std::uint64_t step) const
{
    const SequenceRow* found = row(sequence);
    if (!found || !found->liveAt(step))
        return std::nullopt;
    SequenceActivity activity{.sequence = sequence};
    const BatchSpan* span = found->lastSpanAt(step);
    if (span == nullptr)
        return activity;
    const BatchCell& cell = span->cell;
    const StepFigures* figures = at(step);
    const bool isOld = isOutdated(cell, step);
    activity.isUnseen =
        isOld || (isWaiting(cell.phase) && figures != nullptr && span->first > figures->planned);
    activity.phase = cell.phase;
    activity.reason = isOld ? std::nullopt : cell.reason;
    activity.need = cell.need;
    activity.have = cell.have;
    activity.head = cell.head;
    activity.decodeTokensPerSecond = decodeTokensPerSecondAt(*found, step);
    return activity;
}

BatchHistory::RateWindow BatchHistory::rateWindow(std::uint64_t step) const
{
    const auto after = stepsFrom(step + 1);
    if (after == m_steps.begin())
        return {};
    auto first = std::prev(after);
    RateWindow window{.last = first->step, .endSeconds = first->endSeconds};
    while (first != m_steps.begin() && std::prev(first)->beginSeconds >= window.endSeconds - kRateSeconds)
        --first;
    window.first = first->step;
    window.seconds = window.endSeconds - first->beginSeconds;
    return window;
}

double BatchHistory::rate(std::int32_t StepFigures::*tokens, std::uint64_t step) const
{
    const RateWindow window = rateWindow(step);
    if (window.seconds <= 0)
        return 0;
    std::int64_t sum = 0;
    for (auto at = stepsFrom(window.first); at != m_steps.end() && at->step <= window.last; ++at)
        sum += (*at).*tokens;
    return static_cast<double>(sum) / window.seconds;
}

double BatchHistory::sampledTokensPerSecondAt(std::uint64_t step) const
{
    return rate(&StepFigures::sampledTokens, step);
}

double BatchHistory::prefillTokensPerSecondAt(std::uint64_t step) const
{
    return rate(&StepFigures::prefillTokens, step);
}

double BatchHistory::decodeTokensPerSecondAt(const SequenceRow& row, std::uint64_t step) const
{
    const RateWindow window = rateWindow(step);
    std::uint64_t firstDecode = 0;
    std::int64_t tokens = 0;
    for (auto span = row.spansFrom(window.first); span != row.spans.end() && span->first <= window.last;
         ++span) {
        if (span->cell.phase != SequencePhase::Decode)
            continue;
        const std::uint64_t first = std::max(span->first, window.first);
        firstDecode = firstDecode == 0 ? first : firstDecode;
        tokens +=
            static_cast<std::int64_t>(std::min(span->end(), window.last + 1) - first) * span->cell.tokens;
    }
    const StepFigures* begin = at(firstDecode);
    const double seconds = begin ? window.endSeconds - begin->beginSeconds : 0;
    return seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

} // namespace vitrine::ui
