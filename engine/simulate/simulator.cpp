// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/simulator.h"

#include "engine/schedule/submission.h"

#include <algorithm>

namespace vitrine {

namespace {

constexpr double kMicrosPerSecond = 1e6;
/// A check looks at every block of what may be a very large pool.
constexpr std::uint64_t kCheckEvery = 1000;

/// Sums over steps, for the averages.
struct StepSums {
    std::uint64_t steps = 0;
    std::uint64_t members = 0;
    SlotUsage slots;

    void add(std::size_t batch, const SlotUsage& usage)
    {
        ++steps;
        members += batch;
        slots.used += usage.used;
        slots.reserved += usage.reserved;
        slots.internal += usage.internal;
        slots.free += usage.free;
    }
};

class Simulation {
public:
    Simulation(const Workload& workload, const SimulationOptions& options)
        : m_workload(workload)
        , m_options(options)
        , m_recorder(false)
        , m_scheduler(options.scheduler, m_recorder)
    {
        m_scheduler.checkEvery(kCheckEvery);
    }

    SimulationReport run();

private:
    [[nodiscard]] bool hasClock() const
    {
        return m_options.stepCostMicros > 0 || m_options.tokenCostMicros > 0;
    }
    [[nodiscard]] std::size_t waiting() const;
    void arrive();
    void submitWhatMayRun();
    [[nodiscard]] std::int32_t blocksOf(std::int32_t tokens) const;
    [[nodiscard]] std::int64_t waitingBlocks() const;
    void submit(std::size_t request);
    void refuse(const Error& error);
    void step();
    void answer(const StepPlan& plan);
    void measure(std::size_t batch, bool loaded);
    void collectEnded();
    void complete();

    const Workload& m_workload;
    const SimulationOptions& m_options;
    StepRecorder m_recorder;
    Scheduler m_scheduler;
    std::vector<std::size_t> m_requestOf; ///< by sequence id − 1
    std::vector<Outcome> m_outcomes;
    SimulationReport m_report;
    StepSums m_loaded;
    StepSums m_all;
    std::size_t m_arrived = 0;   ///< requests whose time has come
    std::size_t m_submitted = 0; ///< of these, known to the scheduler
    double m_now = 0;
};

SimulationReport Simulation::run()
{
    while (true) {
        arrive();
        submitWhatMayRun();
        if (m_scheduler.hasWork())
            step();
        else if (m_arrived < m_workload.requests.size())
            m_now = m_workload.requests[m_arrived].arrivalSeconds; // idle until then
        else
            break;
    }
    complete();
    return std::move(m_report);
}

std::size_t Simulation::waiting() const
{
    return std::size_t(m_scheduler.waitingCount()) + m_arrived - m_submitted;
}

void Simulation::arrive()
{
    const auto& requests = m_workload.requests;
    if (m_options.arrivals == Arrivals::Saturated)
        m_arrived = requests.size();
    while (m_arrived < requests.size() && requests[m_arrived].arrivalSeconds <= m_now)
        ++m_arrived;
}

/// The queue is first come, first served: only as many requests are given their tokens as the next step could
/// admit at the very most, so that a million of them take no memory.
void Simulation::submitWhatMayRun()
{
    const auto places = m_scheduler.options().maxNumSeqs - std::int32_t(m_scheduler.running().size());
    std::int64_t wanted = waitingBlocks();
    while (m_submitted < m_arrived && wanted <= m_scheduler.pool().freeBlocks() &&
           m_scheduler.waitingCount() <= places) {
        const std::size_t refused = m_report.refused;
        const std::int32_t promptTokens = m_workload.requests[m_submitted].promptTokens;
        submit(m_submitted++);
        wanted += m_report.refused == refused ? blocksOf(promptTokens) : 0;
    }
}

/// New blocks that a prompt takes at least: with prefix caching one, as all before it may be hits.
std::int32_t Simulation::blocksOf(std::int32_t tokens) const
{
    const std::int32_t blockSize = m_scheduler.pool().blockSize();
    return m_options.scheduler.enablePrefixCaching ? 1 : (tokens + blockSize - 1) / blockSize;
}

std::int64_t Simulation::waitingBlocks() const
{
    if (m_options.scheduler.enablePrefixCaching)
        return m_scheduler.waitingCount();
    std::int64_t blocks = 0;
    for (const Sequence* sequence : m_scheduler.waiting())
        blocks += blocksOf(sequence->numTokens());
    return blocks;
}

void Simulation::submit(std::size_t request)
{
    const WorkloadRequest& wanted = m_workload.requests[request];
    if (const auto fits = m_scheduler.checkLength(wanted.promptTokens, wanted.answerTokens); !fits)
        return refuse(fits.error());
    SequenceSpec spec;
    spec.promptIds = m_workload.promptIds(request);
    spec.maxTokens = wanted.answerTokens;
    spec.arrivalSeconds = m_options.arrivals == Arrivals::Trace ? wanted.arrivalSeconds : 0;
    const auto id = m_scheduler.submit(std::move(spec));
    if (!id)
        return refuse(id.error());
    m_requestOf.push_back(request);
}

void Simulation::refuse(const Error& error)
{
    if (m_report.refused++ == 0)
        m_report.firstRefusal = error.line();
}

void Simulation::step()
{
    const StepPlan& plan = m_scheduler.plan(m_now);
    const bool loaded = waiting() > 0;
    const std::size_t batch = plan.members.size();
    m_now += (m_options.stepCostMicros + m_options.tokenCostMicros * plan.tokenCount) / kMicrosPerSecond;
    answer(plan);
    m_scheduler.commit(m_outcomes, m_now);
    measure(batch, loaded);
    collectEnded();
}

void Simulation::answer(const StepPlan& plan)
{
    m_outcomes.clear();
    for (const PlannedMember& member : plan.members) {
        if (!member.samplesNext)
            continue;
        const Sequence& sequence = *member.sequence;
        if (hasClock() && sequence.lastTokenSeconds >= 0)
            m_report.itl.add(m_now - sequence.lastTokenSeconds);
        const std::size_t request = m_requestOf[sequence.id.value - 1];
        m_outcomes.push_back({sequence.id, Workload::ownToken(request, sequence.numTokens()), std::nullopt});
    }
}

/// After the step, as the live views show it.
void Simulation::measure(std::size_t batch, bool loaded)
{
    const SlotUsage usage = slotUsage(m_scheduler);
    m_all.add(batch, usage);
    if (loaded)
        m_loaded.add(batch, usage);
}

void Simulation::collectEnded()
{
    for (const EndedSequence& ended : m_scheduler.takeEnded()) {
        ++m_report.requests;
        if (!hasClock())
            continue;
        m_report.ttft.add(ended.sequence->firstTokenSeconds - ended.sequence->arrivalSeconds);
        m_report.e2e.add(ended.sequence->endSeconds - ended.sequence->arrivalSeconds);
    }
}

void Simulation::complete()
{
    const StepSums& sums = m_loaded.steps > 0 ? m_loaded : m_all;
    const auto steps = double(std::max<std::uint64_t>(sums.steps, 1));
    m_report.counters = m_scheduler.counters();
    m_report.evictions = m_scheduler.pool().evictions();
    m_report.loadedSteps = m_loaded.steps;
    m_report.meanBatch = double(sums.members) / steps;
    m_report.usableSlots = std::int64_t(m_scheduler.pool().usableBlocks()) * m_scheduler.pool().blockSize();
    const double all = steps * double(m_report.usableSlots);
    m_report.shares = {double(sums.slots.used) / all, double(sums.slots.reserved) / all,
                       double(sums.slots.internal) / all, double(sums.slots.free) / all};
    m_report.virtualSeconds = hasClock() ? m_now : 0;
}

Result<void> checkClock(const SimulationOptions& options)
{
    constexpr double kMostMicros = 1e9;
    const auto good = [](double micros) { return micros >= 0 && micros <= kMostMicros; };
    if (!good(options.stepCostMicros) || !good(options.tokenCostMicros))
        return fail("the cost is out of range", "step_cost_us, token_cost_us", "microseconds from 0 to 1e9");
    if (options.arrivals == Arrivals::Trace && options.stepCostMicros == 0 && options.tokenCostMicros == 0)
        return fail("arrivals by the trace need a clock", "arrivals", "give step_cost_us or token_cost_us");
    return {};
}

double ratio(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? 0 : double(part) / double(whole);
}

} // namespace

double SimulationReport::hitRate() const
{
    return ratio(counters.hitTokens, counters.queriedTokens);
}

double SimulationReport::recomputeTax() const
{
    return ratio(counters.recomputedTokens, counters.computedTokens);
}

Result<SimulationReport> simulate(Workload workload, const SimulationOptions& options)
{
    workload.keep(options.maxTotal, options.limit);
    if (workload.requests.empty())
        return fail("every request is longer than " + std::to_string(options.maxTotal) + " tokens",
                    "--max-total", "allow longer ones");
    SimulationOptions complete = options;
    SchedulerOptions& scheduler = complete.scheduler;
    if (scheduler.maxModelLen == 0 && scheduler.allocator != Allocator::Paged)
        scheduler.maxModelLen =
            std::int32_t(options.maxTotal > 0 ? options.maxTotal : workload.longestTotal());
    if (auto good = checkOptions(scheduler); !good)
        return tl::unexpected(good.error());
    if (auto good = checkClock(options); !good)
        return tl::unexpected(good.error());
    return Simulation(workload, complete).run();
}

} // namespace vitrine
