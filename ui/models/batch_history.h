// SPDX-License-Identifier: GPL-3.0-or-later
// Who was in the batch at each step: the batch timeline's data, in bounded memory.
#pragma once
#include "engine/trace/step_record.h"
#include "ui/models/sequence_activity.h"
#include "ui/models/taken_blocks.h"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace vitrine::ui {

/// One step in numbers.
struct StepFigures {
    std::uint64_t step = 0;
    /// The newest up to this one that was planned: not each record is of a plan, a paused engine's commands
    /// have their own.
    std::uint64_t planned = 0;
    double beginSeconds = 0;
    double endSeconds = 0;
    std::int32_t tokenBudget = 0;
    std::int32_t prefillTokens = 0;   ///< computed by prefill members
    std::int32_t recomputeTokens = 0; ///< computed again after a preemption
    std::int32_t decodeTokens = 0;    ///< computed by decode members
    std::int32_t sampledTokens = 0;   ///< that came out of the step: one a sampled member
    std::int32_t members = 0;         ///< the batch size, padding included
    std::int32_t padding = 0;         ///< of these, rows that have ended (static batching)
    std::int32_t running = 0;
    std::int32_t waiting = 0;
    std::int32_t preemptions = 0;
    std::int32_t planMicros = 0;
    std::int32_t forwardMicros = 0;
    std::int32_t sampleMicros = 0;
    float kvCacheUsage = 0;  ///< of the pool after the step
    float fragmentation = 0; ///< 1 − longest free run / free blocks, after the step

    [[nodiscard]] std::int32_t scheduledTokens() const
    {
        return prefillTokens + recomputeTokens + decodeTokens;
    }
    friend bool operator==(const StepFigures&, const StepFigures&) = default;
};

[[nodiscard]] StepFigures stepFigures(const StepRecord& record);

/// Waiting or preempted: not in the batch.
[[nodiscard]] bool isWaiting(SequencePhase phase);

/// What one sequence did in one step.
struct BatchCell {
    SequencePhase phase = SequencePhase::Waiting;
    std::optional<WaitReason> reason{}; ///< while waiting or preempted; none: the record gave none
    std::int32_t tokens = 0;            ///< computed
    std::int32_t cached = 0;            ///< found in the prefix cache, in the step of the admission
    std::int32_t need = 0;
    std::int32_t have = 0;
    SequenceId head{}; ///< behind whom it waits

    /// While waiting: what the record said; where it came or was thrown out, it need not have said why.
    [[nodiscard]] std::optional<event::Wait> wait() const
    {
        return reason ? std::optional(event::Wait{{}, *reason, need, have, head}) : std::nullopt;
    }
    friend bool operator==(const BatchCell&, const BatchCell&) = default;
};

/// The same cell in `count` consecutive steps: how a row is stored and drawn.
struct BatchSpan {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    BatchCell cell;
    [[nodiscard]] std::uint64_t end() const { return first + count; }
};

struct Preemption {
    std::uint64_t step = 0;
    PreemptReason reason = PreemptReason::Capacity;
    std::int32_t freedBlocks = 0;
    SequenceId takenBy{}; ///< who first got one of them; 0: nobody yet
};

struct SequenceEnd {
    std::uint64_t step = 0;
    EndReason reason = EndReason::Stop;
};

/// All that is kept of one sequence, oldest first.
struct SequenceRow {
    SequenceId sequence;
    std::int32_t promptTokens = 0; ///< 0: its arrival was not seen
    double arrivalSeconds = 0;
    std::vector<BatchSpan> spans;
    std::vector<Preemption> preemptions;
    std::optional<SequenceEnd> end;
    bool lost = false;      ///< steps were dropped, and nothing was heard of it since
    bool preempted = false; ///< thrown out and not yet admitted again

    [[nodiscard]] bool live() const { return !end && !lost; }
    /// After `step`, as far as is known.
    [[nodiscard]] bool liveAt(std::uint64_t step) const;
    [[nodiscard]] std::uint64_t firstStep() const;
    [[nodiscard]] std::uint64_t lastStep() const;
    /// nullptr where the sequence was neither in the batch nor waiting.
    [[nodiscard]] const BatchSpan* spanAt(std::uint64_t step) const;
    /// Not each step speaks of each sequence: what was said last, up to the step. nullptr: nothing.
    [[nodiscard]] const BatchSpan* lastSpanAt(std::uint64_t step) const;
    /// The first step after a preemption in which it was a member again.
    [[nodiscard]] std::optional<std::uint64_t> readmission(const Preemption& preemption) const;
    /// The first span that ends after `step`.
    [[nodiscard]] std::vector<BatchSpan>::const_iterator spansFrom(std::uint64_t step) const;
};

class BatchHistory {
public:
    static constexpr std::size_t kMaxSteps = 100'000;
    /// 40 bytes each; a sequence takes a new one only when it does something else.
    static constexpr std::size_t kMaxSpans = 1'000'000;

    explicit BatchHistory(std::size_t maxSteps = kMaxSteps, std::size_t maxSpans = kMaxSpans);

    /// `kvCacheUsage`, `fragmentation`: of the pool after the step.
    void apply(const StepRecord& record, double kvCacheUsage = 0, double fragmentation = 0);
    /// Steps were dropped: which sequences still live is known only once they are heard of again.
    void markGap();
    void clear();

    [[nodiscard]] bool empty() const { return m_steps.empty(); }
    [[nodiscard]] const std::deque<StepFigures>& steps() const { return m_steps; }
    [[nodiscard]] std::uint64_t firstStep() const { return m_steps.empty() ? 0 : m_steps.front().step; }
    [[nodiscard]] std::uint64_t lastStep() const { return m_steps.empty() ? 0 : m_steps.back().step; }
    /// nullptr for a step that is not kept.
    [[nodiscard]] const StepFigures* at(std::uint64_t step) const;
    /// The first kept step at or after `step`.
    [[nodiscard]] std::deque<StepFigures>::const_iterator stepsFrom(std::uint64_t step) const;
    /// The last kept step that had begun at `seconds`; nullptr before the first.
    [[nodiscard]] const StepFigures* atTime(double seconds) const;

    /// By sequence id.
    [[nodiscard]] const std::map<SequenceId, SequenceRow>& rows() const { return m_rows; }
    [[nodiscard]] const SequenceRow* row(SequenceId sequence) const;

    /// Rows with something to show in [first, last]: those in the batch at `last`, newest first; those that
    /// wait, the head of the queue first; those that have ended, newest first.
    [[nodiscard]] std::vector<const SequenceRow*> rowsIn(std::uint64_t first, std::uint64_t last) const;

    // What holds after a step that is kept: the newest, unless another is named.

    /// Those that wait, by id; each has a span at the step.
    [[nodiscard]] std::vector<const SequenceRow*> waiting() const { return waitingAt(lastStep()); }
    [[nodiscard]] std::vector<const SequenceRow*> waitingAt(std::uint64_t step) const;

    /// The reason holds no more: behind whom it waited has been cancelled since.
    [[nodiscard]] bool isOutdated(const BatchCell& cell, std::uint64_t step) const;
    /// Empty once the sequence has ended, and for one not seen by then.
    [[nodiscard]] std::optional<SequenceActivity> activity(SequenceId sequence) const
    {
        return activityAt(sequence, lastStep());
    }
    [[nodiscard]] std::optional<SequenceActivity> activityAt(SequenceId sequence, std::uint64_t step) const;

    /// Tokens a second that came out over the last second of work (kRateSeconds), or over what there is of
    /// it.
    [[nodiscard]] double sampledTokensPerSecond() const { return sampledTokensPerSecondAt(lastStep()); }
    [[nodiscard]] double prefillTokensPerSecond() const { return prefillTokensPerSecondAt(lastStep()); }
    [[nodiscard]] double decodeTokensPerSecond(const SequenceRow& row) const
    {
        return decodeTokensPerSecondAt(row, lastStep());
    }
    [[nodiscard]] double sampledTokensPerSecondAt(std::uint64_t step) const;
    [[nodiscard]] double prefillTokensPerSecondAt(std::uint64_t step) const;
    [[nodiscard]] double decodeTokensPerSecondAt(const SequenceRow& row, std::uint64_t step) const;

    static constexpr double kRateSeconds = 1.0;

private:
    /// Kept steps, both included; the last second of work up to `last`.
    struct RateWindow {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        double endSeconds = 0;
        double seconds = 0;
    };

    /// What is beyond the bounds goes in bulks of this part of the history: erasing from the front of a row
    /// costs its length, so it must not happen at each step.
    static constexpr std::size_t kTrimParts = 64;

    void take(const event::Arrive& arrive, std::uint64_t step);
    void take(const event::Member& member, std::uint64_t step);
    void take(const event::Wait& wait, std::uint64_t step);
    void take(const event::Preempt& preempt, std::uint64_t step);
    void take(const event::Finish& finish, std::uint64_t step);
    void take(const event::Free& free, std::uint64_t) { m_taken.on(free); }
    void take(const event::Share& share, std::uint64_t) { m_taken.on(share); }
    void take(const event::Alloc& alloc, std::uint64_t step);
    template<typename PoolEvent>
    void take(const PoolEvent&, std::uint64_t)
    {
    }

    SequenceRow& touch(SequenceId sequence);
    void append(SequenceRow& row, std::uint64_t step, const BatchCell& cell);
    void trim();
    void dropSteps(std::size_t count);
    void dropBefore(SequenceRow& row, std::uint64_t first);
    [[nodiscard]] RateWindow rateWindow(std::uint64_t step) const;
    [[nodiscard]] double rate(std::int32_t StepFigures::*tokens, std::uint64_t step) const;

    std::size_t m_maxSteps;
    std::size_t m_maxSpans;
    std::size_t m_spanCount = 0;
    std::deque<StepFigures> m_steps;
    std::map<SequenceId, SequenceRow> m_rows;
    TakenBlocks m_taken;
    std::unordered_map<SequenceId, BatchCell> m_stepCells; ///< of the step being applied
};

} // namespace vitrine::ui
