// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduler::plan, the running sequences: decodes first, so that no long prompt holds them up, then prompts
// in chunks.
#include "engine/schedule/scheduler.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace vitrine {

namespace {

MemberKind kindOf(const Sequence& sequence)
{
    if (sequence.numComputedTokens < sequence.recomputeEnd)
        return MemberKind::Recompute;
    return sequence.numOutputTokens() == 0 ? MemberKind::Prefill : MemberKind::Decode;
}

} // namespace

const StepPlan& Scheduler::plan(double nowSeconds)
{
    beginPlan(nowSeconds);
    planDecodes();
    planPrefills();
    admitWaiting();
    endHopelessHead();
    recordBatch();
    return m_plan;
}

void Scheduler::beginPlan(double nowSeconds)
{
    assert(!m_inStep);
    m_inStep = true;
    ++m_step;
    m_planSeconds = nowSeconds;
    m_budgetLeft = m_options.maxNumBatchedTokens;
    m_plannedDecodes = 0;
    m_decodeCost = m_planCost = StepCost(m_options.attentionKeysPerToken);
    m_madeRoomInStep = false;
    m_batchClosed = m_options.batching == Batching::Static && !m_running.empty();
    if (m_running.empty())
        m_padding.clear();
    m_planned.clear();
    m_plan.members.clear();
    m_plan.copies.clear();
    m_plan.freshBlocks.clear();
    m_plan.tokenCount = 0;
}

void Scheduler::planDecodes()
{
    for (std::size_t i = 0; i < m_running.size(); ++i) {
        Sequence& sequence = *m_running[i];
        if (sequence.remainingTokens() == 1 && makeRoom(sequence))
            schedule(sequence, 1);
    }
}

void Scheduler::planPrefills()
{
    for (std::size_t i = 0; i < m_running.size(); ++i) {
        Sequence& sequence = *m_running[i];
        if (sequence.planIndex >= 0)
            continue;
        const std::int32_t remaining = sequence.remainingTokens();
        const std::int32_t chunk = chunkFor(sequence, remaining);
        if (chunk == 0)
            recordWait(sequence, roomWait(remaining));
        else if (makeRoom(sequence))
            schedule(sequence, chunk);
    }
}

/// Tokens of the `remaining` ones that the step has room for now. Without chunked prefill a prompt is
/// computed in one step or not yet, whoever decodes; what a preemption threw away may be longer than any
/// budget, and comes back in chunks all the same.
std::int32_t Scheduler::chunkFor(const Sequence& sequence, std::int32_t remaining) const
{
    const bool whole = !m_options.enableChunkedPrefill && sequence.numOutputTokens() == 0;
    if (whole)
        return remaining <= m_budgetLeft ? remaining : 0;
    return roomAt(sequence.numTokens() - remaining, std::min(remaining, m_budgetLeft));
}

/// While somebody decodes, prompts take only so much of a step that the decodes stay quick; one token a step
/// always has room, or a prompt that is long enough would never end. Without a KV cache every step is a
/// prefill, and nothing is quick.
std::int32_t Scheduler::roomAt(std::int32_t position, std::int32_t most) const
{
    if (m_options.maxStepStretch == 0 || m_plannedDecodes == 0 || !m_options.kvCache)
        return most;
    const double limit = m_options.maxStepStretch * double(m_decodeCost.total());
    const auto fits = [&](std::int32_t count) {
        return double(m_planCost.with(position, count).total()) <= limit;
    };
    std::int32_t room = 0;
    for (std::int32_t above = most + 1; above - room > 1;) {
        const std::int32_t middle = room + (above - room) / 2;
        (fits(middle) ? room : above) = middle;
    }
    const bool onlyDecodes = m_planCost.total() == m_decodeCost.total();
    return onlyDecodes ? std::max(room, std::min(most, 1)) : room;
}

/// Where chunkFor() said 0: why, and what there is.
Scheduler::Wait Scheduler::roomWait(std::int32_t remaining) const
{
    const bool fitsBudget = m_budgetLeft > 0 && (m_options.enableChunkedPrefill || remaining <= m_budgetLeft);
    return {fitsBudget ? WaitReason::StepStretch : WaitReason::TokenBudget, remaining, m_budgetLeft};
}

void Scheduler::schedule(Sequence& sequence, std::int32_t tokenCount)
{
    assert(tokenCount > 0 && tokenCount <= m_budgetLeft && sequence.planIndex < 0);
    const std::int32_t first = sequence.numComputedTokens;
    sequence.planIndex = std::int32_t(m_planned.size());
    m_planned.push_back(&sequence);
    m_plan.members.push_back({.sequence = &sequence,
                              .kind = kindOf(sequence),
                              .firstToken = first,
                              .tokenCount = tokenCount,
                              .samplesNext = first + tokenCount == sequence.numTokens()});
    countScheduled(m_plan.members.back(), 1);
}

void Scheduler::countScheduled(const PlannedMember& member, std::int32_t sign)
{
    m_plan.tokenCount += sign * member.tokenCount;
    m_budgetLeft -= sign * member.tokenCount;
    m_planCost.add(member.firstToken, member.tokenCount, sign);
    if (member.kind != MemberKind::Decode)
        return;
    m_decodeCost.add(member.firstToken, member.tokenCount, sign);
    m_plannedDecodes += sign;
}

/// A victim that was scheduled already: its tokens and its share of the budget come back.
void Scheduler::unschedule(Sequence& sequence)
{
    const auto index = std::ptrdiff_t(sequence.planIndex);
    countScheduled(m_plan.members[std::size_t(index)], -1);
    m_plan.members.erase(m_plan.members.begin() + index);
    m_planned.erase(m_planned.begin() + index);
    for (std::size_t i = std::size_t(index); i < m_planned.size(); ++i)
        m_planned[i]->planIndex = std::int32_t(i);
    sequence.planIndex = -1;
}

/// Room for the sequence's next tokens, at the cost of the newest sequences; false where it became the
/// victim itself.
bool Scheduler::makeRoom(Sequence& sequence)
{
    while (!m_allocator->grow(sequence.blockTable, sequence.numTokens(), sequence.numComputedTokens)) {
        Sequence& newest = *m_running.back();
        preempt(newest, PreemptReason::Capacity);
        m_madeRoomInStep = true;
        if (&newest == &sequence)
            return false;
    }
    return true;
}

void Scheduler::preempt(Sequence& sequence, PreemptReason reason)
{
    if (sequence.planIndex >= 0)
        unschedule(sequence);
    dropCopies(sequence);
    m_lastPreemption = m_step;
    const std::int32_t freeBefore = m_pool.freeBlocks();
    m_allocator->release(sequence.blockTable);
    sequence.recomputeEnd = std::max(sequence.recomputeEnd, sequence.numComputedTokens);
    sequence.numComputedTokens = 0;
    sequence.status = SequenceStatus::Preempted;
    ++sequence.preemptions;
    ++m_counters.preemptions;
    std::erase(m_running, &sequence);
    m_waiting.insert(&sequence);
    m_recorder.record(event::Preempt{sequence.id, reason, m_pool.freeBlocks() - freeBefore});
}

/// A victim's copies need not run.
void Scheduler::dropCopies(const Sequence& sequence)
{
    for (const BlockCopy& copy : m_plan.copies) {
        if (copy.sequence == sequence.id)
            m_pool.free(copy.source, copy.sequence, copy.position);
    }
    std::erase_if(m_plan.copies, [&](const BlockCopy& copy) { return copy.sequence == sequence.id; });
}

/// Progress always: where nobody runs and the head still finds no room, it never will.
void Scheduler::endHopelessHead()
{
    if (!m_running.empty() || m_waiting.empty() || m_madeRoomInStep)
        return;
    Sequence& head = **m_waiting.begin();
    end(head, EndReason::Error,
        Error{"the sequence of " + std::to_string(head.numTokens()) +
                  " tokens finds no room in an empty pool of " + std::to_string(m_pool.usableBlocks()) +
                  " blocks of " + std::to_string(m_pool.blockSize()),
              "num_blocks", "enlarge the pool or shorten the request"});
}

void Scheduler::recordBatch()
{
    m_pool.takeFresh(m_plan.freshBlocks);
    m_plan.paddingRows = std::int32_t(m_padding.size());
    if (!m_recorder.enabled())
        return;
    for (const PlannedMember& member : m_plan.members) {
        const Sequence& sequence = *member.sequence;
        const bool first = member.firstToken == sequence.lastCachedTokens;
        const std::int32_t cached = first ? sequence.lastCachedTokens : 0;
        m_recorder.record(
            event::Member{sequence.id, member.kind, member.tokenCount, cached, member.samplesNext});
    }
    for (const Sequence* sequence : m_parked)
        m_recorder.record(event::Wait{sequence->id, WaitReason::SharedPrompt, sequence->promptLength, 0});
    for (const SequenceId id : m_padding)
        m_recorder.record(event::Member{id, MemberKind::Padding, 0, 0});
}

} // namespace vitrine
