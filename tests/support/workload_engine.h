// SPDX-License-Identifier: GPL-3.0-or-later
// The real scheduler and pool with an answer made of random tokens and a clock that runs by a cost model:
// real step records for views, by the thousand, without a model.
#pragma once
#include "engine/schedule/scheduler.h"
#include "engine/trace/step_recorder.h"

#include <cstdint>
#include <random>
#include <vector>

namespace vitrine::test {

class WorkloadEngine {
public:
    explicit WorkloadEngine(const SchedulerOptions& options, std::uint32_t seed = 1);

    /// `shared` tokens are the same in all prompts, the others are random. Precondition: not refused.
    SequenceId submit(std::int32_t promptTokens, std::int32_t answerTokens, std::int32_t shared = 0);
    void cancel(SequenceId sequence) { m_scheduler.cancel(sequence); }
    /// Time passes without a step.
    void rest(double seconds) { m_nowSeconds += seconds; }

    [[nodiscard]] StepRecord step();
    /// A record without a plan: what has been asked for and cancelled, as a paused engine reports it.
    [[nodiscard]] StepRecord reportChanges();
    /// Until nothing is left to do, or for so many steps.
    [[nodiscard]] std::vector<StepRecord> run(int mostSteps = 1'000'000);

    [[nodiscard]] bool hasWork() const { return m_scheduler.hasWork(); }
    [[nodiscard]] PoolSnapshot snapshot() const { return m_scheduler.snapshot(); }
    [[nodiscard]] const Scheduler& scheduler() const { return m_scheduler; }
    [[nodiscard]] Scheduler& scheduler() { return m_scheduler; }
    [[nodiscard]] double nowSeconds() const { return m_nowSeconds; }
    /// Times of each finished sequence's arrival and first token, as the scheduler has them.
    [[nodiscard]] const std::vector<double>& ttfts() const { return m_ttfts; }

    double stepMicros = 3000; ///< of any step
    double tokenMicros = 250; ///< more for each token

private:
    [[nodiscard]] TokenId randomToken();

    StepRecorder m_recorder;
    Scheduler m_scheduler;
    std::mt19937 m_random;
    double m_nowSeconds = 0;
    std::vector<Outcome> m_outcomes;
    std::vector<double> m_ttfts;
};

} // namespace vitrine::test
