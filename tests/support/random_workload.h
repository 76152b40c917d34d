// SPDX-License-Identifier: GPL-3.0-or-later
// Random operations on the toy engine, and the little that must be true of any of them.
#pragma once
#include "tests/support/toy_engine.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace vitrine::test {

enum class Action { Submit, SubmitAnswers, Cancel, CancelInStep, Step, Preempt, Reset, LoseCache };

/// What the numbers mean depends on the action; every combination is allowed.
struct Operation {
    Action action = Action::Step;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
};

/// The engine's settings of a random run.
struct Mode {
    SchedulerOptions options;
    int hash = 0; ///< 0: the product's, 1: a constant, 2: four values
    TokenId stopToken = -1;
    int preemptEvery = 0; ///< forced preemption of the oldest every so many steps; 0: never
};

std::ostream& operator<<(std::ostream& out, const Operation& operation);
std::ostream& operator<<(std::ostream& out, const Mode& mode);

/// A mode and operations from one seed, where RapidCheck is not there to choose them.
[[nodiscard]] Mode randomMode(std::uint64_t seed);
[[nodiscard]] Operation randomOperation(std::uint64_t& state);

/// Carries out operations and keeps the naive model: which prompts were accepted, and what became of them.
class WorkloadRunner {
public:
    explicit WorkloadRunner(const Mode& mode);

    void run(const Operation& operation);
    /// Steps until nothing is left; a fault where that does not happen.
    void drain();

    /// The first thing that was wrong; empty where nothing was.
    [[nodiscard]] std::string fault() const;
    [[nodiscard]] ToyEngine& engine() { return m_engine; }
    /// Called after every step.
    std::function<void()> afterStep;

private:
    void submit(const Operation& operation);
    void submitAnswers(const Operation& operation);
    void remember(SequenceId id, const SequenceSpec& spec);
    void step(const std::function<void()>& between = {});
    [[nodiscard]] SequenceSpec spec(const Operation& operation) const;
    [[nodiscard]] SequenceId pick(std::uint32_t number) const;
    [[nodiscard]] std::string answerFault(SequenceId id, const SequenceSpec& spec) const;

    Mode m_mode;
    ToyEngine m_engine;
    std::map<SequenceId, SequenceSpec> m_submitted;
    std::vector<SequenceId> m_ids;
    int m_steps = 0;
    bool m_drained = false;
};

} // namespace vitrine::test
