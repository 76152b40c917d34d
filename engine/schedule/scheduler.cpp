// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/scheduler.h"

#include "engine/schedule/invariants.h"
#include "engine/schedule/slot_usage.h"
#include "engine/schedule/submission.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <utility>

namespace vitrine {

namespace {

SchedulerOptions owedATokenEach(SchedulerOptions options)
{
    options.maxNumSeqs = std::min(options.maxNumSeqs, options.maxNumBatchedTokens);
    return options;
}

/// Debug builds stop at the first broken promise; release builds do not look.
void assertInvariants([[maybe_unused]] const Scheduler& scheduler)
{
#ifndef NDEBUG
    const auto broken = checkInvariants(scheduler);
    for (const std::string& line : broken)
        std::fprintf(stderr, "invariant broken: %s\n", line.c_str());
    assert(broken.empty());
#endif
}

} // namespace

Scheduler::Scheduler(const SchedulerOptions& options, StepRecorder& recorder, BlockHash hash)
    : m_options(owedATokenEach(options))
    , m_watermarkBlocks(std::int32_t(options.watermark * options.numBlocks))
    , m_recorder(recorder)
    , m_pool(options.numBlocks, options.blockSize, recorder)
    , m_allocator(makeKvAllocator(options, m_pool, hash))
    , m_waiting(SchedulingOrder{options.schedulingPolicy == SchedulingPolicy::Priority})
    , m_decodeCost(options.attentionKeysPerToken)
    , m_planCost(options.attentionKeysPerToken)
{
}

Scheduler::Scheduler(const SchedulerOptions& options, StepRecorder& recorder, Scheduler&& before)
    : Scheduler(options, recorder)
{
    assert(!before.m_inStep && before.m_running.empty());
    m_sequences = std::move(before.m_sequences);
    m_waiting.swap(before.m_waiting);
    m_parked = std::move(before.m_parked);
    m_ended = std::move(before.m_ended);
    m_counters = before.m_counters;
    m_step = before.m_step;
    m_lastPreemption = before.m_lastPreemption;
    m_checkEvery = before.m_checkEvery;
    m_lastSequence = before.m_lastSequence;
    m_planSeconds = before.m_planSeconds;
    m_commitSeconds = before.m_commitSeconds;
    std::vector<Sequence*> all;
    for (const auto& [id, sequence] : m_sequences)
        all.push_back(sequence.get());
    std::ranges::sort(all, {}, &Sequence::id);
    for (Sequence* sequence : all)
        refit(*sequence);
}

/// To another pool. An answer that cannot get as long as it was to goes on as far as it can.
void Scheduler::refit(Sequence& sequence)
{
    auto total = maxTotalTokens(sequence.promptLength, sequence.maxTokens, m_options, *m_allocator);
    if (!total) {
        sequence.maxTokens = 0;
        total = maxTotalTokens(sequence.promptLength, 0, m_options, *m_allocator);
    }
    const std::uint64_t salt = sequence.blockTable.extraKey;
    sequence.blockTable = {};
    sequence.blockTable.sequence = sequence.id;
    sequence.blockTable.extraKey = salt;
    sequence.maxTotalTokens = total.value_or(0);
    if (sequence.numTokens() >= sequence.maxTotalTokens)
        end(sequence, EndReason::Length, total ? explainLength(sequence) : total.error());
}

Scheduler::~Scheduler() = default;

namespace {

std::unique_ptr<Sequence> makeSequence(SequenceSpec spec, std::int32_t maxTotalTokens)
{
    auto sequence = std::make_unique<Sequence>();
    sequence->promptLength = std::int32_t(spec.promptIds.size());
    sequence->tokens = std::move(spec.promptIds);
    sequence->maxTokens = spec.maxTokens;
    sequence->maxTotalTokens = maxTotalTokens;
    sequence->priority = spec.priority;
    sequence->arrivalSeconds = spec.arrivalSeconds;
    sequence->blockTable.extraKey = spec.cacheSalt;
    return sequence;
}

} // namespace

Result<void> Scheduler::checkLength(std::int32_t promptTokens, std::int32_t maxTokens) const
{
    return maxTotalTokens(promptTokens, maxTokens, m_options, *m_allocator).map([](std::int32_t) {});
}

Result<SequenceId> Scheduler::submit(SequenceSpec spec)
{
    return submitAnswers(std::move(spec), 1).map([](const auto& ids) { return ids.front(); });
}

Result<std::vector<SequenceId>> Scheduler::submitAnswers(SequenceSpec spec, std::int32_t answers)
{
    if (answers < 1)
        return fail(std::to_string(answers) + " answers are asked for", "n", "ask for at least one");
    const auto total =
        maxTotalTokens(std::int64_t(spec.promptIds.size()), spec.maxTokens, m_options, *m_allocator);
    if (!total)
        return tl::unexpected(total.error());
    // A static batch takes nobody in later, and without a shared pool there is nothing to wait for.
    const bool forks =
        m_allocator->canFork() && m_options.kvCache && m_options.batching == Batching::Continuous;
    std::vector<std::unique_ptr<Sequence>> sequences; // all of them before the first is in the queue
    for (std::int32_t i = 1; i < answers; ++i)
        sequences.push_back(makeSequence(spec, *total));
    sequences.push_back(makeSequence(std::move(spec), *total));
    std::vector<SequenceId> ids;
    ids.reserve(sequences.size());
    for (auto& sequence : sequences) {
        sequence->leader = forks && !ids.empty() ? ids.front() : SequenceId{};
        ids.push_back(enqueue(std::move(sequence)));
    }
    return ids;
}

SequenceId Scheduler::enqueue(std::unique_ptr<Sequence> sequence)
{
    const SequenceId id{++m_lastSequence};
    sequence->id = id;
    sequence->blockTable.sequence = id;
    if (sequence->leader == SequenceId{})
        m_waiting.insert(sequence.get());
    else
        m_parked.push_back(sequence.get());
    m_recorder.record(event::Arrive{id, sequence->promptLength, sequence->arrivalSeconds});
    m_sequences.emplace(id, std::move(sequence));
    return id;
}

bool Scheduler::cancel(SequenceId id)
{
    const auto found = m_sequences.find(id);
    if (found == m_sequences.end() || found->second->cancelled)
        return false;
    Sequence& sequence = *found->second;
    if (!m_inStep || sequence.status != SequenceStatus::Running) {
        end(sequence, EndReason::Aborted);
        return true;
    }
    // The step under way still reads and writes its blocks.
    sequence.cancelled = true;
    m_cancelled.push_back(id);
    return true;
}

bool Scheduler::forcePreemption(SequenceId id)
{
    assert(!m_inStep);
    const auto found = m_sequences.find(id);
    if (found == m_sequences.end() || found->second->status != SequenceStatus::Running)
        return false;
    preempt(*found->second, PreemptReason::Forced);
    return true;
}

void Scheduler::reset()
{
    assert(!m_inStep);
    while (!m_running.empty())
        end(*m_running.back(), EndReason::Aborted);
    while (!m_waiting.empty()) // a leader's end brings the answers parked behind it
        end(**m_waiting.begin(), EndReason::Aborted);
    m_pool.dropCached();
}

void Scheduler::commit(std::span<const Outcome> outcomes, double nowSeconds)
{
    assert(m_inStep);
    m_commitSeconds = nowSeconds;
    releaseCopySources();
    auto outcome = outcomes.begin();
    for (std::size_t i = 0; i < m_planned.size(); ++i) {
        Sequence& sequence = *m_planned[i];
        const PlannedMember& member = m_plan.members[i];
        sequence.planIndex = -1;
        commitMember(sequence, member);
        if (member.samplesNext) {
            assert(outcome != outcomes.end() && outcome->sequence == sequence.id);
            commitToken(sequence, *outcome++);
        }
    }
    assert(outcome == outcomes.end());
    m_counters.steps += m_plan.empty() ? 0 : 1;
    m_counters.paddingSteps += std::uint64_t(m_plan.paddingRows);
    finishStep();
}

void Scheduler::finishStep()
{
    m_inStep = false;
    endCancelled();
    completeRecord();
    if (m_step % m_checkEvery == 0)
        assertInvariants(*this);
}

void Scheduler::loseCache(std::span<const Outcome> sampled, double nowSeconds)
{
    assert(m_inStep);
    m_commitSeconds = nowSeconds;
    forgetMembersBut(sampled);
    while (!m_running.empty()) // with their place in the plan, and their copies
        preempt(*m_running.back(), PreemptReason::CacheLost);
    m_pool.dropCached();
    for (const Outcome& outcome : sampled) {
        Sequence& sequence = *m_sequences.at(outcome.sequence);
        sequence.recomputeEnd =
            std::max(sequence.recomputeEnd, sequence.numTokens()); // this step did it once
        commitToken(sequence, outcome);
    }
    finishStep();
}

/// The record tells what the step brought, not what it was to bring.
void Scheduler::forgetMembersBut(std::span<const Outcome> sampled)
{
    std::erase_if(m_recorder.current().events, [sampled](const StepEvent& event) {
        const auto* member = std::get_if<event::Member>(&event);
        return member != nullptr &&
               std::ranges::find(sampled, member->sequence, &Outcome::sequence) == sampled.end();
    });
}

void Scheduler::commitMember(Sequence& sequence, const PlannedMember& member)
{
    const std::int32_t end = member.firstToken + member.tokenCount;
    m_allocator->written(sequence.blockTable, sequence.tokens, member.firstToken, member.tokenCount);
    if (sequence.firstPlannedSeconds < 0)
        sequence.firstPlannedSeconds = m_planSeconds;
    sequence.numComputedTokens = end;
    m_allocator->releasePassed(sequence.blockTable, end);
    const std::int32_t again = std::min(end, sequence.recomputeEnd) - member.firstToken;
    m_counters.recomputedTokens += std::uint64_t(std::max(again, 0));
    m_counters.computedTokens += std::uint64_t(member.tokenCount);
    m_counters.prefillTokens += member.kind == MemberKind::Prefill ? std::uint64_t(member.tokenCount) : 0;
    ++m_counters.memberSteps;
}

void Scheduler::commitToken(Sequence& sequence, const Outcome& outcome)
{
    if (sequence.cancelled)
        return;
    if (outcome.end == EndReason::Error) { // no token came
        end(sequence, EndReason::Error);
        return;
    }
    sequence.tokens.push_back(outcome.token);
    ++m_counters.generatedTokens;
    sequence.lastTokenSeconds = m_commitSeconds;
    if (sequence.numOutputTokens() == 1) {
        sequence.firstTokenSeconds = m_commitSeconds;
        unpark(sequence.id);
    }
    if (!m_options.kvCache)
        sequence.numComputedTokens = 0;
    if (outcome.end)
        end(sequence, *outcome.end);
    else if (sequence.numTokens() >= sequence.maxTotalTokens)
        end(sequence, EndReason::Length, explainLength(sequence));
}

/// The copies have run: what was held for them goes back.
void Scheduler::releaseCopySources()
{
    for (const BlockCopy& copy : m_plan.copies)
        m_pool.free(copy.source, copy.sequence, copy.position);
    m_plan.copies.clear();
}

/// The prompt is computed, or nobody computes it any more: the other answers may go on.
void Scheduler::unpark(SequenceId leader)
{
    const auto follows = [leader](const Sequence* sequence) { return sequence->leader == leader; };
    for (Sequence* sequence : m_parked) {
        if (follows(sequence))
            m_waiting.insert(sequence);
    }
    std::erase_if(m_parked, follows);
}

void Scheduler::endCancelled()
{
    for (const SequenceId id : m_cancelled) {
        if (const auto found = m_sequences.find(id); found != m_sequences.end())
            end(*found->second, EndReason::Aborted);
    }
    m_cancelled.clear();
}

void Scheduler::completeEmptyStep()
{
    assert(!m_inStep);
    ++m_step;
    completeRecord();
}

void Scheduler::completeRecord()
{
    StepRecord& record = m_recorder.current();
    record.step = m_step;
    record.tokenBudget = m_options.maxNumBatchedTokens;
    record.running = std::int32_t(m_running.size());
    record.waiting = waitingCount();
    record.poolChecksum = m_pool.checksum();
}

/// The one way out: blocks, queues, tables and the terminal event.
void Scheduler::end(Sequence& sequence, EndReason reason, std::optional<Error> explanation)
{
    m_allocator->release(sequence.blockTable);
    if (sequence.status == SequenceStatus::Running) {
        std::erase(m_running, &sequence);
        if (m_options.batching == Batching::Static && !m_running.empty())
            m_padding.push_back(sequence.id);
    } else {
        m_waiting.erase(&sequence);
        std::erase(m_parked, &sequence);
    }
    unpark(sequence.id);
    sequence.status = SequenceStatus::Finished;
    // Between two steps there is no clock: the end is at least as late as all that is known to have come
    // before.
    sequence.endSeconds = std::max({m_commitSeconds, m_planSeconds, sequence.arrivalSeconds});
    m_recorder.record(event::Finish{sequence.id, reason});
    auto node = m_sequences.extract(sequence.id);
    m_ended.push_back({std::move(node.mapped()), reason, std::move(explanation)});
}

std::optional<Error> Scheduler::explainLength(const Sequence& sequence) const
{
    if (sequence.maxTokens > 0 && sequence.numOutputTokens() >= sequence.maxTokens)
        return std::nullopt;
    const std::string tokens = std::to_string(sequence.numTokens());
    if (m_options.maxModelLen > 0 && sequence.numTokens() >= m_options.maxModelLen)
        return Error{"the context of " + tokens + " tokens is full", "max_model_len",
                     "start a new chat, or shorten this one"};
    return Error{"the sequence of " + tokens + " tokens fills the whole pool of " +
                     std::to_string(m_pool.usableBlocks()) + " blocks of " +
                     std::to_string(m_pool.blockSize()),
                 "num_blocks", "enlarge the KV cache, or start a new chat"};
}

std::vector<EndedSequence> Scheduler::takeEnded()
{
    return std::exchange(m_ended, {});
}

const Sequence* Scheduler::find(SequenceId id) const
{
    const auto found = m_sequences.find(id);
    return found == m_sequences.end() ? nullptr : found->second.get();
}

PoolSnapshot Scheduler::snapshot() const
{
    assert(!m_inStep);
    PoolSnapshot snapshot = m_pool.snapshot();
    snapshot.step = m_step;
    snapshot.contiguous = m_options.allocator != Allocator::Paged;
    snapshot.layerGroups = m_options.layerGroups();
    for (const Sequence* sequence : m_running)
        snapshot.sequences.push_back({sequence->id, sequence->blockTable.blocks,
                                      snapshot.contiguous ? finalSlots(*sequence, tableShape()) : 0});
    std::ranges::sort(snapshot.sequences, {}, &SequenceState::sequence);
    return snapshot;
}

} // namespace vitrine
