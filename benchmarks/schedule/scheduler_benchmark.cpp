// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of decodes costs beside the model: plan() and commit(), with and without step records.
#include "engine/schedule/scheduler.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <vector>

namespace {

using namespace vitrine;
using Clock = std::chrono::steady_clock;

constexpr std::int32_t kPrompt = 128;
constexpr std::int32_t kAnswer = 700;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

SchedulerOptions roomFor(std::int32_t running)
{
    SchedulerOptions options;
    options.blockSize = 16;
    options.numBlocks = running * (kPrompt + kAnswer) / options.blockSize + running + 1;
    options.maxNumSeqs = running;
    options.maxNumBatchedTokens = running * kPrompt;
    return options;
}

void fill(Scheduler& scheduler, std::int32_t sequences)
{
    for (std::int32_t i = 0; i < sequences; ++i) {
        SequenceSpec spec;
        spec.promptIds.assign(kPrompt, i);
        spec.maxTokens = kAnswer;
        if (!scheduler.submit(std::move(spec)))
            std::abort();
    }
}

/// One step; returns the seconds that plan() took, or those of commit().
double step(Scheduler& scheduler, StepRecorder& recorder, std::vector<Outcome>& outcomes, bool planning)
{
    const auto begin = Clock::now();
    const StepPlan& plan = scheduler.plan(0);
    const double planSeconds = secondsSince(begin);
    outcomes.clear();
    for (const PlannedMember& member : plan.members) {
        if (member.samplesNext)
            outcomes.push_back({member.sequence->id, 1, std::nullopt});
    }
    const auto middle = Clock::now();
    scheduler.commit(outcomes, 0);
    const double commitSeconds = secondsSince(middle);
    static_cast<void>(recorder.take());
    static_cast<void>(scheduler.takeEnded());
    return planning ? planSeconds : commitSeconds;
}

void measure(benchmark::State& state, bool planning)
{
    const auto running = std::int32_t(state.range(0));
    const bool recording = state.range(1) != 0;
    StepRecorder recorder(recording);
    std::vector<Outcome> outcomes;
    std::unique_ptr<Scheduler> scheduler;
    for (auto _ : state) {
        if (!scheduler || !scheduler->hasWork()) {
            scheduler = std::make_unique<Scheduler>(roomFor(running), recorder);
            fill(*scheduler, running);
            step(*scheduler, recorder, outcomes, planning); // the prompts
        }
        state.SetIterationTime(step(*scheduler, recorder, outcomes, planning));
    }
}

void plan(benchmark::State& state)
{
    measure(state, true);
}

void commit(benchmark::State& state)
{
    measure(state, false);
}

void sizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->ArgNames({"running", "recording"})->UseManualTime()->Unit(benchmark::kMicrosecond);
    for (const int running : {8, 32, 1000}) {
        for (const int recording : {0, 1})
            benchmark->Args({running, recording});
    }
}

BENCHMARK(plan)->Apply(sizes);
BENCHMARK(commit)->Apply(sizes);

} // namespace
