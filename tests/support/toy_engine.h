// SPDX-License-Identifier: GPL-3.0-or-later
// The real scheduler and pool around a toy model whose KV cache is one number a slot. The next token depends
// on every slot that the sequence should see, so that a slot not written, overwritten or taken from somebody
// else shows.
#pragma once
#include "engine/schedule/invariants.h"
#include "engine/schedule/scheduler.h"
#include "engine/trace/step_recorder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace vitrine::test {

/// Small pools and no surprises; tests change what they are about.
[[nodiscard]] SchedulerOptions toyOptions(std::int32_t numBlocks = 11, std::int32_t blockSize = 4);
[[nodiscard]] std::vector<TokenId> countingPrompt(std::int32_t length, TokenId first = 1);

class ToyEngine {
public:
    struct Answer {
        std::vector<TokenId> tokens;
        EndReason reason = EndReason::Stop;
        std::optional<Error> explanation;
        std::int32_t preemptions = 0;
        std::int32_t cachedTokens = 0;
        int timesEnded = 0;
    };

    explicit ToyEngine(const SchedulerOptions& options, BlockHash hash = hashBlock, bool recording = true);

    /// Precondition: not refused.
    SequenceId submit(std::vector<TokenId> prompt, std::int32_t maxTokens = 0, std::int32_t priority = 0);
    SequenceId submit(std::int32_t promptLength, std::int32_t maxTokens = 0, std::int32_t priority = 0);

    /// One step; `between` runs after plan() and before commit().
    void step(const std::function<void()>& between = {});
    /// A step in which the machine is lost, with all slots, after so many tokens were sampled, or after all.
    void stepAndLose(std::size_t sampled);
    /// False where work is left after that many steps.
    bool runDry(int mostSteps = 10'000);

    [[nodiscard]] Scheduler& scheduler() { return m_scheduler; }
    [[nodiscard]] const BlockPool& pool() const { return m_scheduler.pool(); }
    [[nodiscard]] const StepRecord& lastRecord() const { return m_record; }
    [[nodiscard]] const std::map<SequenceId, Answer>& answers() const { return m_answers; }
    /// The first broken invariant of all steps so far; empty where all held.
    [[nodiscard]] const std::string& firstFault() const { return m_firstFault; }
    /// Members of the newest plan as (sequence, tokens).
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::int32_t>> members() const { return m_members; }

    /// What the toy model answers without any cache. `seed`: of the sampling, see diverge. `windows`:
    /// of the layer groups, as in SchedulerOptions.
    [[nodiscard]] static std::vector<TokenId> expectedAnswer(std::vector<TokenId> prompt, std::int32_t tokens,
                                                             std::int32_t seed = 0,
                                                             const std::vector<std::int32_t>& windows = {0});

    TokenId stopToken = -1; ///< ends an answer with EndReason::Stop
    bool diverge = false; ///< each sequence samples with its id as the seed: equal prompts, different answers

private:
    void planAndCompute();
    void endStep();
    void compute(const StepPlan& plan);
    [[nodiscard]] TokenId forward(const PlannedMember& member);
    [[nodiscard]] std::size_t slot(const Sequence& sequence, std::int32_t position, std::size_t group) const;
    void collect();
    void check(const char* when);
    void checkWaits();
    void note(const char* when, const std::string& fault);

    StepRecorder m_recorder;
    Scheduler m_scheduler;
    std::vector<std::uint64_t> m_slots; ///< (num_blocks * block_size)
    std::vector<Outcome> m_outcomes;
    std::map<SequenceId, Answer> m_answers;
    std::string m_firstFault;
    std::vector<std::pair<std::uint32_t, std::int32_t>> m_members;
    StepRecord m_record;
};

} // namespace vitrine::test
