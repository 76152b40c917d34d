// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduler::plan, the waiting sequences: first come, first served, each with room for its whole prompt or
// not at all.
#include "engine/schedule/scheduler.h"
#include "engine/schedule/slot_usage.h"

#include <algorithm>
#include <cassert>

namespace vitrine {

namespace {

/// Wait events a step at most: the views show the head of a longer queue, and the engine does not slow down.
constexpr int kMaxWaitEvents = 256;

bool holdsForAll(WaitReason reason)
{
    return reason == WaitReason::MaxNumSeqs || reason == WaitReason::StaticBatch ||
           reason == WaitReason::RoomMade;
}

} // namespace

void Scheduler::admitWaiting()
{
    while (!m_waiting.empty()) {
        Sequence& head = **m_waiting.begin();
        auto wait = admit(head);
        if (wait && makeWay(head, *wait))
            wait = admit(head);
        if (wait) {
            recordWaits(*wait);
            return;
        }
    }
}

/// Why the sequence has to wait; nothing where it is in the batch now.
std::optional<Scheduler::Wait> Scheduler::admit(Sequence& sequence)
{
    if (const auto wait = batchWait())
        return wait;
    if (const auto wait = budgetWait(sequence))
        return wait;
    const KvGrant grant = requestBlocks(sequence);
    if (!grant.granted)
        return Wait{grant.reason, grant.needBlocks, grant.haveBlocks};
    enterBatch(sequence, grant.cachedTokens);
    return std::nullopt;
}

std::optional<Scheduler::Wait> Scheduler::batchWait() const
{
    const auto running = std::int32_t(m_running.size());
    if (m_batchClosed)
        return Wait{WaitReason::StaticBatch, running, 0};
    // Where somebody had to make room in this step, nobody takes it: the victim would come straight back.
    if (m_madeRoomInStep)
        return Wait{WaitReason::RoomMade, 0, 0};
    if (running >= m_options.maxNumSeqs)
        return Wait{WaitReason::MaxNumSeqs, running + 1, m_options.maxNumSeqs};
    return std::nullopt;
}

/// A static batch is formed at once, whatever the budget; its prompts are then computed one after the other.
std::optional<Scheduler::Wait> Scheduler::budgetWait(Sequence& sequence)
{
    if (m_options.batching == Batching::Static)
        return std::nullopt;
    const std::int32_t remaining = remainingWhenAdmitted(sequence);
    if (chunkFor(sequence, remaining) > 0)
        return std::nullopt;
    return roomWait(remaining);
}

/// Tokens to compute; the prefix cache is asked only where it matters whether all of them fit, or how deep in
/// the prompt the first of them is.
std::int32_t Scheduler::remainingWhenAdmitted(Sequence& sequence)
{
    if (findLeader(sequence) != nullptr)
        return 1;
    if (m_options.enableChunkedPrefill && (m_options.maxStepStretch == 0 || m_plannedDecodes == 0))
        return sequence.numTokens();
    return sequence.numTokens() - m_allocator->cachedTokens(sequence.blockTable, sequence.tokens);
}

KvGrant Scheduler::requestBlocks(Sequence& sequence)
{
    // Alone, a sequence may use the watermark's blocks too: nobody is there for whose growth they are kept.
    const std::int32_t keepFree = m_running.empty() ? 0 : m_watermarkBlocks;
    // All of the prompt is there but for its last token, which each answer computes for its own first sample.
    if (const Sequence* leader = findLeader(sequence))
        return m_allocator->fork(sequence.blockTable, leader->blockTable, sequence.promptLength - 1,
                                 sequence.promptLength, keepFree);
    const KvDemand demand{
        .tokens = sequence.tokens, .promptTokens = sequence.promptLength, .maxTokens = sequence.maxTokens};
    return m_allocator->admit(sequence.blockTable, demand, keepFree);
}

/// The running sequence whose prompt this one shares; nullptr where it has to find its prompt elsewhere.
const Sequence* Scheduler::findLeader(const Sequence& sequence) const
{
    const Sequence* leader = find(sequence.leader);
    if (leader == nullptr || leader->status != SequenceStatus::Running || sequence.promptLength == 1)
        return nullptr;
    const bool computed = leader->numComputedTokens >= sequence.promptLength;
    return computed && m_allocator->canShare(leader->blockTable, sequence.promptLength - 1) ? leader
                                                                                            : nullptr;
}

void Scheduler::enterBatch(Sequence& sequence, std::int32_t cachedTokens)
{
    m_waiting.erase(&sequence);
    const auto place = std::ranges::upper_bound(m_running, &sequence, m_waiting.key_comp());
    m_running.insert(place, &sequence);
    countAdmission(sequence, cachedTokens);
    sequence.status = SequenceStatus::Running;
    sequence.leader = {};
    sequence.admissionStep = m_step;
    sequence.lastCachedTokens = cachedTokens;
    sequence.numComputedTokens = cachedTokens;
    if (m_options.allocator != Allocator::Paged)
        m_recorder.record(event::Grant{sequence.id, finalSlots(sequence, m_allocator->shape())});
    planCopies(sequence);
    const std::int32_t remaining = sequence.remainingTokens();
    if (const std::int32_t chunk = chunkFor(sequence, remaining); chunk > 0)
        schedule(sequence, chunk);
    else
        recordWait(sequence, roomWait(remaining));
}

/// A hit is what the prefix cache spared: not what a resumption found again, not what n answers share by
/// themselves.
void Scheduler::countAdmission(Sequence& sequence, std::int32_t cachedTokens)
{
    ++m_counters.admissions;
    if (sequence.status != SequenceStatus::Waiting)
        return;
    sequence.cachedTokens = cachedTokens;
    if (!m_allocator->cachesPrefixes() || findLeader(sequence) != nullptr)
        return;
    m_counters.queriedTokens += std::uint64_t(sequence.promptLength);
    m_counters.hitTokens += std::uint64_t(cachedTokens);
}

void Scheduler::planCopies(Sequence& sequence)
{
    for (const KvCopy& copy : m_allocator->copyOnWrite(sequence.blockTable, sequence.numComputedTokens))
        m_plan.copies.push_back({copy.source, copy.target, copy.slotCount, sequence.id, copy.position});
}

/// Under the priority policy less urgent sequences give up their places, if that is enough for the urgent
/// one.
bool Scheduler::makeWay(const Sequence& urgent, const Wait& wait)
{
    const std::int32_t victims = countVictims(urgent, wait);
    for (std::int32_t i = 0; i < victims; ++i)
        preempt(*m_running.back(), PreemptReason::Priority);
    return victims > 0;
}

/// How many of the least urgent have to go; 0 where even all that may be asked would not do.
std::int32_t Scheduler::countVictims(const Sequence& urgent, const Wait& wait) const
{
    const bool places = wait.reason == WaitReason::MaxNumSeqs;
    const bool blocks = wait.reason == WaitReason::Capacity;
    if (m_options.schedulingPolicy != SchedulingPolicy::Priority || !(places || blocks))
        return 0;
    std::int32_t have = wait.have;
    for (std::size_t count = 1; count <= m_running.size(); ++count) {
        const Sequence& victim = *m_running[m_running.size() - count];
        if (victim.priority <= urgent.priority)
            return 0;
        have += places ? 1 : countExclusiveBlocks(victim);
        if (have >= wait.need)
            return std::int32_t(count);
    }
    return 0;
}

/// Blocks that its preemption would free.
std::int32_t Scheduler::countExclusiveBlocks(const Sequence& sequence) const
{
    const auto exclusive = [this](BlockId id) { return m_pool.state(id).refCount == 1; };
    return std::int32_t(std::ranges::count_if(sequence.blockTable.blocks, exclusive));
}

void Scheduler::recordWait(const Sequence& sequence, const Wait& wait)
{
    m_recorder.record(event::Wait{sequence.id, wait.reason, wait.need, wait.have});
}

/// What keeps the whole queue out is everybody's reason; what only the head lacks, the head's alone.
void Scheduler::recordWaits(const Wait& wait)
{
    if (!m_recorder.enabled())
        return;
    const Sequence& head = **m_waiting.begin();
    std::int32_t before = 0;
    for (const Sequence* sequence : m_waiting) {
        if (before == 0 || holdsForAll(wait.reason))
            recordWait(*sequence, wait);
        else
            m_recorder.record(event::Wait{sequence->id, WaitReason::BehindHead, before, 0, head.id});
        if (++before == kMaxWaitEvents)
            return;
    }
}

} // namespace vitrine
