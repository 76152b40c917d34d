// SPDX-License-Identifier: GPL-3.0-or-later
// Who is in the next step. It decides only; the engine computes.
#pragma once
#include "engine/cache/block_pool.h"
#include "engine/cache/kv_allocator.h"
#include "engine/engine_options.h"
#include "engine/error.h"
#include "engine/ids.h"
#include "engine/schedule/sequence.h"
#include "engine/schedule/step_cost.h"
#include "engine/schedule/step_plan.h"
#include "engine/trace/step_record.h"
#include "engine/trace/step_recorder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace vitrine {

/// Since the scheduler was made.
struct SchedulerCounters {
    std::uint64_t steps = 0; ///< with at least one member
    std::uint64_t computedTokens = 0;
    std::uint64_t prefillTokens = 0;    ///< of these, prompts
    std::uint64_t recomputedTokens = 0; ///< of these, thrown away by a preemption before
    std::uint64_t generatedTokens = 0;
    std::uint64_t queriedTokens = 0; ///< prompt tokens looked up in the prefix cache; resumptions excluded
    std::uint64_t hitTokens = 0;     ///< of these, found
    std::uint64_t admissions = 0;    ///< resumptions included
    std::uint64_t preemptions = 0;
    std::uint64_t memberSteps = 0;  ///< sum over steps of members
    std::uint64_t paddingSteps = 0; ///< sum over steps of padding rows
    friend bool operator==(const SchedulerCounters&, const SchedulerCounters&) = default;
};

/// The one terminal event of a submitted sequence.
struct EndedSequence {
    std::unique_ptr<const Sequence> sequence;
    EndReason reason;
    std::optional<Error>
        explanation; ///< for Length: the context or the pool is full; for Error: why it failed
};

/// First come, first served; under SchedulingPolicy::Priority the more urgent first.
/// Ids grow with submission, so that a preempted sequence goes back to its place before later arrivals.
struct SchedulingOrder {
    bool byPriority = false;
    [[nodiscard]] bool operator()(const Sequence* a, const Sequence* b) const
    {
        if (byPriority && a->priority != b->priority)
            return a->priority < b->priority;
        return a->id < b->id;
    }
};

using WaitingQueue = std::set<Sequence*, SchedulingOrder>;

/// One token budget a step, no phases: each sequence has numComputedTokens that chases numTokens. Running
/// sequences first, then waiting ones as long as their whole prompt finds room. Where a running one cannot
/// grow, the newest is preempted: its blocks are freed, and it is computed again later.
class Scheduler {
public:
    /// Precondition: checkOptions() has no objection. max_num_seqs is cut to the token budget, as each
    /// running sequence is owed a token a step. The recorder must outlive the scheduler.
    Scheduler(const SchedulerOptions& options, StepRecorder& recorder, BlockHash hash = hashBlock);
    /// Goes on with the sequences, the counts and the numbers of `before`, over a pool of its own: options
    /// may differ in num_blocks and max_model_len. What is too long for that pool ends with
    /// EndReason::Length. Precondition: between two steps, and no sequence of `before` holds blocks
    /// (loseCache()).
    Scheduler(const SchedulerOptions& options, StepRecorder& recorder, Scheduler&& before);
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    /// Queues a sequence; refuses, with numbers and advice, what could never run.
    [[nodiscard]] Result<SequenceId> submit(SequenceSpec spec);
    /// What submit() would say of a prompt with so many tokens, before there is one.
    [[nodiscard]] Result<void> checkLength(std::int32_t promptTokens, std::int32_t maxTokens) const;
    /// `answers` sequences with one prompt: the first computes it, the others wait for that and share its
    /// blocks. All or none are accepted.
    [[nodiscard]] Result<std::vector<SequenceId>> submitAnswers(SequenceSpec spec, std::int32_t answers);
    /// At any point, also between plan() and commit(): a running one then ends at commit, its token thrown
    /// away. False where the sequence is unknown or has ended.
    bool cancel(SequenceId id);
    /// Throws a running sequence back into the queue, between two steps. Nobody but the tests of the
    /// invariants asks for it: a hook that puts a preemption where they want one.
    bool forcePreemption(SequenceId id);
    /// Aborts every sequence and forgets the prefix cache, between two steps.
    void reset();

    /// The next step. Valid until the next plan(). Every plan, also an empty one, is followed by one
    /// commit().
    [[nodiscard]] const StepPlan& plan(double nowSeconds);
    /// What the step brought: appends tokens, publishes full blocks, ends sequences, completes the step
    /// record.
    void commit(std::span<const Outcome> outcomes, double nowSeconds);
    /// Instead of commit(), where the machine that computes the step has failed and the cache is gone with
    /// it: `sampled` were chosen before that, all else of the step brought nothing. Every running sequence is
    /// preempted, and computed again from its tokens.
    void loseCache(std::span<const Outcome> sampled, double nowSeconds);
    /// Between two steps, instead of plan() and commit(): what has happened since the last one becomes a step
    /// record of its own, with the next number and without members.
    void completeEmptyStep();
    /// All that ended since the last call, however it ended: each submitted sequence comes here exactly once.
    [[nodiscard]] std::vector<EndedSequence> takeEnded();

    [[nodiscard]] bool hasWork() const { return !m_sequences.empty(); }
    /// In scheduling order: the last is the first to be preempted.
    [[nodiscard]] std::span<const Sequence* const> running() const { return m_running; }
    [[nodiscard]] const WaitingQueue& waiting() const { return m_waiting; }
    /// Answers whose prompt another one computes; they join the waiting ones then.
    [[nodiscard]] std::span<const Sequence* const> parked() const { return m_parked; }
    [[nodiscard]] std::int32_t waitingCount() const
    {
        return std::int32_t(m_waiting.size() + m_parked.size());
    }
    /// nullptr where unknown or ended.
    [[nodiscard]] const Sequence* find(SequenceId id) const;

    [[nodiscard]] const SchedulerOptions& options() const { return m_options; }
    [[nodiscard]] const SchedulerCounters& counters() const { return m_counters; }
    [[nodiscard]] const BlockPool& pool() const { return m_pool; }
    [[nodiscard]] const TableShape& tableShape() const { return m_allocator->shape(); }
    [[nodiscard]] const StepPlan& currentPlan() const { return m_plan; }
    /// Between plan() and commit().
    [[nodiscard]] bool inStep() const { return m_inStep; }
    /// Number of the newest plan, from 1.
    [[nodiscard]] std::uint64_t step() const { return m_step; }
    /// While the newest plan was made, or after it.
    [[nodiscard]] bool preemptedInStep() const { return m_lastPreemption == m_step; }
    /// Between two steps.
    [[nodiscard]] PoolSnapshot snapshot() const;
    /// Debug builds check the invariants after every commit; long simulations ask for every so many steps.
    void checkEvery(std::uint64_t steps) { m_checkEvery = steps; }

private:
    struct Wait {
        WaitReason reason;
        std::int32_t need;
        std::int32_t have;
    };

    // plan.cpp: running sequences
    void beginPlan(double nowSeconds);
    void planDecodes();
    void planPrefills();
    void endHopelessHead();
    void recordBatch();
    void schedule(Sequence& sequence, std::int32_t tokenCount);
    void unschedule(Sequence& sequence);
    void countScheduled(const PlannedMember& member, std::int32_t sign);
    [[nodiscard]] std::int32_t chunkFor(const Sequence& sequence, std::int32_t remaining) const;
    [[nodiscard]] Wait roomWait(std::int32_t remaining) const;
    [[nodiscard]] std::int32_t roomAt(std::int32_t position, std::int32_t most) const;
    [[nodiscard]] bool makeRoom(Sequence& sequence);
    void preempt(Sequence& sequence, PreemptReason reason);
    void dropCopies(const Sequence& sequence);

    // admission.cpp: waiting sequences
    void admitWaiting();
    [[nodiscard]] std::optional<Wait> admit(Sequence& sequence);
    [[nodiscard]] std::optional<Wait> batchWait() const;
    [[nodiscard]] std::optional<Wait> budgetWait(Sequence& sequence);
    [[nodiscard]] std::int32_t remainingWhenAdmitted(Sequence& sequence);
    [[nodiscard]] KvGrant requestBlocks(Sequence& sequence);
    [[nodiscard]] const Sequence* findLeader(const Sequence& sequence) const;
    void enterBatch(Sequence& sequence, std::int32_t cachedTokens);
    void countAdmission(Sequence& sequence, std::int32_t cachedTokens);
    void planCopies(Sequence& sequence);
    [[nodiscard]] bool makeWay(const Sequence& urgent, const Wait& wait);
    [[nodiscard]] std::int32_t countVictims(const Sequence& urgent, const Wait& wait) const;
    [[nodiscard]] std::int32_t countExclusiveBlocks(const Sequence& sequence) const;
    void recordWait(const Sequence& sequence, const Wait& wait);
    void recordWaits(const Wait& wait);

    // scheduler.cpp
    SequenceId enqueue(std::unique_ptr<Sequence> sequence);
    void unpark(SequenceId leader);
    void releaseCopySources();
    void commitMember(Sequence& sequence, const PlannedMember& member);
    void commitToken(Sequence& sequence, const Outcome& outcome);
    void forgetMembersBut(std::span<const Outcome> sampled);
    void finishStep();
    void refit(Sequence& sequence);
    void endCancelled();
    void completeRecord();
    void end(Sequence& sequence, EndReason reason, std::optional<Error> explanation = {});
    [[nodiscard]] std::optional<Error> explainLength(const Sequence& sequence) const;

    const SchedulerOptions m_options;
    const std::int32_t m_watermarkBlocks; ///< kept free when admitting
    StepRecorder& m_recorder;
    BlockPool m_pool;
    std::unique_ptr<KvAllocator> m_allocator;
    std::unordered_map<SequenceId, std::unique_ptr<Sequence>> m_sequences; ///< waiting and running
    WaitingQueue m_waiting;
    std::vector<Sequence*> m_running;    ///< in scheduling order
    std::vector<Sequence*> m_parked;     ///< answers whose leader computes their prompt
    std::vector<SequenceId> m_cancelled; ///< while their step is under way
    std::vector<SequenceId> m_padding;   ///< static batching: ended members of the batch under way
    std::vector<EndedSequence> m_ended;
    StepPlan m_plan;
    std::vector<Sequence*> m_planned; ///< the sequences of m_plan.members
    SchedulerCounters m_counters;
    std::uint64_t m_step = 0;
    std::uint64_t m_lastPreemption = 0; ///< step
    std::uint64_t m_checkEvery = 1;
    std::uint32_t m_lastSequence = 0;
    std::int32_t m_budgetLeft = 0;
    StepCost m_decodeCost;             ///< of the decodes in the plan
    StepCost m_planCost;               ///< of all its members
    std::int32_t m_plannedDecodes = 0; ///< members
    double m_planSeconds = 0;
    double m_commitSeconds = 0;
    bool m_batchClosed = false;    ///< static batching: the batch under way takes nobody in
    bool m_madeRoomInStep = false; ///< for capacity
    bool m_inStep = false;
};

} // namespace vitrine
