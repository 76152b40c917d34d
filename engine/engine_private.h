// SPDX-License-Identifier: GPL-3.0-or-later
// What Engine is made of; engine.cpp and engine_commands.cpp alone include it.
#pragma once
#include "engine/active_request.h"
#include "engine/backend/batch.h"
#include "engine/engine.h"
#include "engine/model/loaded_model.h"
#include "engine/schedule/scheduler.h"
#include "engine/trace/step_recorder.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace vitrine {

/// Enough for the last reports of the requests that a large batch has.
inline constexpr std::size_t kReserveBytes = std::size_t{512} << 10;

class Engine::Private {
public:
    Private(EngineOptions engineOptions, OpenCardFn openTheCard)
        : openCard(std::move(openTheCard))
        , options(std::move(engineOptions))
    {
    }

    [[nodiscard]] double now() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - epoch).count();
    }

    // Commands.
    void drainCommands();
    void carryOutCommands();
    void carryOut(command::LoadModel& command);
    void carryOut(command::Submit& command);
    /// `refusal` is what is to be told of the request if it fails.
    [[nodiscard]] Result<void> submit(command::Submit& command, report::Finished& refusal);
    void carryOut(command::Cancel& command);
    void carryOut(command::SetOptions& command);
    void carryOut(command::Pause&) { setPaused(true); }
    void carryOut(command::Resume&) { setPaused(false); }
    void carryOut(command::SingleStep&) { singleSteps += paused ? 1 : 0; }
    void carryOut(command::SetStepDelay& command)
    {
        stepDelay = std::chrono::milliseconds(command.milliseconds);
    }
    void carryOut(command::DescribeBlock& command);
    void setPaused(bool pause);
    void waitForNextStep(const std::stop_token& stop);
    void keepReserve();
    void recover(const std::string& what);
    void refuseAll(const std::string& what);
    void goOnWithoutCard(const BackendNote& note);
    void takeNewPool();
    [[nodiscard]] Result<void> load(const command::LoadModel& command);
    void bringBack(const std::string& path);
    void leaveCard();
    [[nodiscard]] Result<void> changeTo(const EngineOptions& wanted);
    [[nodiscard]] bool mustMove(BackendChoice wanted);
    [[nodiscard]] Result<void> changeThreads(int threads);
    [[nodiscard]] Result<void> changePool(const EngineOptions& wanted);
    [[nodiscard]] Result<void> buildPool(const EngineOptions& wanted);
    [[nodiscard]] Result<void> replacePool(const EngineOptions& wanted);
    void restorePool(const EngineOptions& before);
    void giveUpModel();
    void endAll();
    void startScheduler();
    void refuse(RequestId request, Error error);

    // One step.
    bool step();
    void computeStep();
    [[nodiscard]] bool mayStep();
    void forward(const StepPlan& plan);
    [[nodiscard]] std::span<const Outcome> sample(const StepPlan& plan);
    void sampleRows(std::size_t first, std::size_t count, const std::optional<TopLogits>& greatest);
    [[nodiscard]] std::optional<TopLogits> greatestLogits();
    [[nodiscard]] std::optional<TopLogits> enoughFor(std::size_t row,
                                                     const std::optional<TopLogits>& greatest) const;
    void reportEnded();
    void reportStep();
    void reportChanges();

    const OpenCardFn openCard;
    EngineOptions options;
    CommandQueue commands;
    Outbox outbox;
    StepRecorder recorder;
    const std::chrono::steady_clock::time_point epoch = std::chrono::steady_clock::now();

    std::optional<LoadedModel> loaded;
    std::unique_ptr<Scheduler> scheduler; ///< exists where a model is loaded
    std::unordered_map<SequenceId, ActiveRequest> active;
    std::unordered_map<RequestId, SequenceId> sequenceOf;

    bool paused = false;
    int singleSteps = 0;
    std::chrono::milliseconds stepDelay{0};

    /// Given up where memory has run out, so that there is some to say so; had again afterwards.
    std::vector<Command> taken; ///< from the queue; nextTaken is the first that is not carried out
    std::size_t nextTaken = 0;
    std::unique_ptr<std::byte[]> reserve = std::make_unique<std::byte[]>(kReserveBytes);
    Batch batch;
    std::vector<SequenceId> sampling; ///< of the step under way, in the order of batch.logitRows
    std::vector<Outcome> outcomes;
};

} // namespace vitrine
