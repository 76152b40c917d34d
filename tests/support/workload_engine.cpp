// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/workload_engine.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace vitrine::test {

namespace {

constexpr TokenId kVocabulary = 50'000;
constexpr double kPlanMicros = 40;
constexpr double kSampleMicros = 120; // a member

} // namespace

WorkloadEngine::WorkloadEngine(const SchedulerOptions& options, std::uint32_t seed)
    : m_scheduler(options, m_recorder)
    , m_random(seed)
{
}

TokenId WorkloadEngine::randomToken()
{
    return static_cast<TokenId>(m_random() % kVocabulary);
}

SequenceId WorkloadEngine::submit(std::int32_t promptTokens, std::int32_t answerTokens, std::int32_t shared)
{
    SequenceSpec spec;
    spec.maxTokens = answerTokens;
    spec.arrivalSeconds = m_nowSeconds;
    for (std::int32_t i = 0; i < promptTokens; ++i)
        spec.promptIds.push_back(i < shared ? i : randomToken());
    const auto id = m_scheduler.submit(std::move(spec));
    if (!id) {
        std::fprintf(stderr, "refused: %s\n", id.error().line().c_str());
        std::abort();
    }
    return *id;
}

StepRecord WorkloadEngine::step()
{
    const double begin = m_nowSeconds;
    const StepPlan& plan = m_scheduler.plan(begin);
    m_outcomes.clear();
    for (const PlannedMember& member : plan.members)
        if (member.samplesNext)
            m_outcomes.push_back({member.sequence->id, randomToken(), std::nullopt});
    const double forward = stepMicros + tokenMicros * plan.tokenCount;
    const double sample = kSampleMicros * static_cast<double>(m_outcomes.size());
    m_nowSeconds += (kPlanMicros + forward + sample) * 1e-6;
    m_scheduler.commit(m_outcomes, m_nowSeconds);
    for (const EndedSequence& ended : m_scheduler.takeEnded())
        if (ended.sequence->firstTokenSeconds >= 0)
            m_ttfts.push_back(ended.sequence->firstTokenSeconds - ended.sequence->arrivalSeconds);
    StepRecord record = m_recorder.take();
    record.beginSeconds = begin;
    record.endSeconds = m_nowSeconds;
    record.planMicros = static_cast<std::int32_t>(kPlanMicros);
    record.forwardMicros = static_cast<std::int32_t>(forward);
    record.sampleMicros = static_cast<std::int32_t>(sample);
    return record;
}

StepRecord WorkloadEngine::reportChanges()
{
    m_scheduler.completeEmptyStep();
    StepRecord record = m_recorder.take();
    record.beginSeconds = record.endSeconds = m_nowSeconds;
    return record;
}

std::vector<StepRecord> WorkloadEngine::run(int mostSteps)
{
    std::vector<StepRecord> records;
    for (int i = 0; i < mostSteps && hasWork(); ++i)
        records.push_back(step());
    return records;
}

} // namespace vitrine::test
