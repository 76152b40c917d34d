// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include "engine/active_request.h"
#include "engine/batch_builder.h"
#include "engine/model/loaded_model.h"
#include "engine/schedule/scheduler.h"
#include "engine/text/prompt_encoder.h"
#include "engine/trace/step_recorder.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <unordered_map>

namespace vitrine {
namespace {

/// Rows of logits that are held at once: 6 MB for a vocabulary of 49,152.
constexpr std::int32_t kLogitRows = 32;

std::int32_t micros(double seconds)
{
    return static_cast<std::int32_t>(seconds * 1e6);
}

FinishReason finishReason(EndReason reason)
{
    switch (reason) {
    case EndReason::Stop:
        return FinishReason::Stop;
    case EndReason::Length:
        return FinishReason::Length;
    case EndReason::Aborted:
        return FinishReason::Aborted;
    case EndReason::Error:
        break;
    }
    return FinishReason::Error;
}

RequestStats statsOf(const Sequence& sequence)
{
    RequestStats stats;
    stats.promptTokens = sequence.promptLength;
    stats.cachedTokens = sequence.cachedTokens;
    stats.generatedTokens = sequence.numOutputTokens();
    stats.preemptions = sequence.preemptions;
    stats.e2eSeconds = sequence.endSeconds - sequence.arrivalSeconds;
    if (sequence.firstPlannedSeconds >= 0)
        stats.queueSeconds = sequence.firstPlannedSeconds - sequence.arrivalSeconds;
    if (sequence.firstTokenSeconds >= 0) {
        stats.ttftSeconds = sequence.firstTokenSeconds - sequence.arrivalSeconds;
        const double decodeSeconds = sequence.endSeconds - sequence.firstTokenSeconds;
        if (stats.generatedTokens > 1 && decodeSeconds > 0)
            stats.decodeTokensPerSecond = (stats.generatedTokens - 1) / decodeSeconds;
    }
    return stats;
}

} // namespace

class Engine::Private {
public:
    explicit Private(EngineOptions engineOptions)
        : options(std::move(engineOptions))
    {
    }

    [[nodiscard]] double now() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - epoch).count();
    }

    // Commands.
    void drainCommands();
    void carryOut(command::LoadModel& command);
    void carryOut(command::Submit& command);
    void carryOut(command::Cancel& command);
    void carryOut(command::SetOptions& command);
    void carryOut(command::Pause&) { setPaused(true); }
    void carryOut(command::Resume&) { setPaused(false); }
    void carryOut(command::SingleStep&) { singleSteps += paused ? 1 : 0; }
    void carryOut(command::SetStepDelay& command) { stepDelay = std::chrono::milliseconds(command.milliseconds); }
    void setPaused(bool pause);
    void waitForNextStep(const std::stop_token& stop);
    void recover(const std::string& what);
    Result<void> load(const std::string& path, const EngineOptions& wanted, const std::atomic<bool>* cancel);
    void install(LoadedModel next);
    [[nodiscard]] Result<std::vector<TokenId>> encode(const Prompt& prompt) const;
    void refuse(RequestId request, Error error, std::int32_t promptTokens = 0);

    // One step.
    [[nodiscard]] bool mayStep();
    void forward(const StepPlan& plan);
    [[nodiscard]] std::span<const Outcome> sample(const StepPlan& plan);
    void reportEnded();
    void reportStep();

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

    Batch batch;
    std::vector<Outcome> outcomes;
};

Engine::Engine(EngineOptions options)
    : d(std::make_unique<Private>(std::move(options)))
{
}

Engine::~Engine() = default;

CommandQueue& Engine::commands()
{
    return d->commands;
}

Outbox& Engine::outbox()
{
    return d->outbox;
}

SchedulerCounters Engine::counters() const
{
    return d->scheduler ? d->scheduler->counters() : SchedulerCounters{};
}

bool Engine::step()
{
    try {
        d->drainCommands();
        return d->mayStep() && computeStep();
    } catch (const std::exception& error) { // out of memory, in nearly all cases
        d->recover(error.what());
        return true;
    }
}

bool Engine::computeStep()
{
    StepRecord& record = d->recorder.current();
    record.beginSeconds = d->now();
    const StepPlan& plan = d->scheduler->plan(record.beginSeconds);
    const double planned = d->now();
    d->forward(plan);
    const double computed = d->now();
    const std::span<const Outcome> outcomes = d->sample(plan);
    record.endSeconds = d->now();
    record.planMicros = micros(planned - record.beginSeconds);
    record.forwardMicros = micros(computed - planned);
    record.sampleMicros = micros(record.endSeconds - computed);
    d->scheduler->commit(outcomes, record.endSeconds);
    d->reportEnded();
    d->reportStep();
    return true;
}

void Engine::run(std::stop_token stop)
{
    while (!stop.stop_requested()) {
        if (!step())
            d->commands.wait();
        else if (d->stepDelay.count() > 0)
            d->waitForNextStep(stop);
    }
}

/// Slow motion: commands that come meanwhile are carried out at once and do not bring the next step forward.
void Engine::Private::waitForNextStep(const std::stop_token& stop)
{
    using std::chrono::steady_clock;
    const steady_clock::time_point next = steady_clock::now() + stepDelay;
    while (!stop.stop_requested() && stepDelay.count() > 0 && steady_clock::now() < next) {
        commands.waitFor(std::chrono::ceil<std::chrono::milliseconds>(next - steady_clock::now()));
        drainCommands();
    }
}

void Engine::Private::setPaused(bool pause)
{
    paused = pause;
    singleSteps = 0;
}

/// A step or a command did not come to its end: every request is told so, and the scheduler begins anew.
void Engine::Private::recover(const std::string& what)
{
    spdlog::error("the engine starts again after: {}", what);
    const Error error{"the engine could not go on: " + what, {}, "use a smaller KV cache, fewer chats or a smaller model"};
    for (const auto& [sequence, request] : active)
        refuse(request.id(), error);
    active.clear();
    sequenceOf.clear();
    recorder = StepRecorder();
    if (!loaded)
        return;
    scheduler = std::make_unique<Scheduler>(loaded->scheduler, recorder);
    outbox.reset(scheduler->snapshot());
}

void Engine::Private::drainCommands()
{
    for (Command& command : commands.drain())
        std::visit([this](auto& which) { carryOut(which); }, command);
    reportEnded();
}

void Engine::Private::carryOut(command::LoadModel& command)
{
    if (Result<void> done = load(command.path, options, command.cancel.get()); !done)
        outbox.post(report::LoadFailed{done.error(), done.error() == loadCancelled()});
}

void Engine::Private::carryOut(command::SetOptions& command)
{
    if (!loaded) {
        options = command.options;
        return;
    }
    if (Result<void> done = load(loaded->info.path, command.options, nullptr); !done)
        outbox.post(report::LoadFailed{done.error(), false});
    else
        options = command.options;
}

Result<void> Engine::Private::load(const std::string& path, const EngineOptions& wanted,
                                   const std::atomic<bool>* cancel)
{
    const auto progress = [&](double fraction, LoadStage stage) {
        outbox.post(report::LoadProgress{fraction, stage});
        return !cancel || !cancel->load();
    };
    Result<LoadedModel> next = loadModel(path, wanted, progress);
    if (!next) {
        spdlog::warn("loading {} failed: {}", path, next.error().line());
        return tl::unexpected(next.error());
    }
    install(std::move(*next));
    return {};
}

void Engine::Private::install(LoadedModel next)
{
    if (scheduler) {
        scheduler->reset();
        reportEnded();
    }
    scheduler.reset();
    loaded = std::move(next);
    recorder = StepRecorder();
    scheduler = std::make_unique<Scheduler>(loaded->scheduler, recorder);
    spdlog::info("loaded {} ({}, {}) in {:.2f} s, {} blocks of {} slots, {} threads", loaded->info.name,
                 loaded->info.architecture, loaded->info.tensorTypes, loaded->info.loadSeconds, loaded->info.numBlocks,
                 loaded->info.blockSize, loaded->info.threads);
    outbox.reset(scheduler->snapshot());
    outbox.post(report::ModelLoaded{loaded->info});
}

void Engine::Private::carryOut(command::Submit& command)
{
    if (!loaded)
        return refuse(command.request, Error{"no model is loaded", {}, "open a GGUF file first"});
    const Request& content = command.content;
    if (Result<void> good = checkSampling(content.sampling); !good)
        return refuse(command.request, good.error());
    Result<std::vector<TokenId>> promptIds = encode(content.prompt);
    if (!promptIds)
        return refuse(command.request, promptIds.error());
    ActiveRequest entry(command.request, content, *promptIds, loaded->tokenizer->vocabulary());
    const auto promptTokens = static_cast<std::int32_t>(promptIds->size());
    SequenceSpec spec;
    spec.promptIds = std::move(*promptIds);
    spec.maxTokens = content.maxTokens;
    spec.priority = content.priority;
    spec.arrivalSeconds = now();
    const Result<SequenceId> sequence = scheduler->submit(std::move(spec));
    if (!sequence)
        return refuse(command.request, sequence.error(), promptTokens);
    active.emplace(*sequence, std::move(entry));
    sequenceOf.emplace(command.request, *sequence);
    outbox.post(report::Accepted{command.request, *sequence, promptTokens});
}

/// The one place where a single request can ask for any amount of memory.
Result<std::vector<TokenId>> Engine::Private::encode(const Prompt& prompt) const
{
    try {
        return encodePrompt(prompt, *loaded->tokenizer, *loaded->chatTemplate);
    } catch (const std::exception& error) {
        return fail(std::string("the prompt could not be taken in: ") + error.what(), {}, "shorten it");
    }
}

void Engine::Private::refuse(RequestId request, Error error, std::int32_t promptTokens)
{
    RequestStats stats;
    stats.promptTokens = promptTokens; // a chat that is told how much too long it is can shorten itself
    outbox.post(report::Finished{request, FinishReason::Error, std::move(error), stats});
}

void Engine::Private::carryOut(command::Cancel& command)
{
    if (const auto found = sequenceOf.find(command.request); found != sequenceOf.end())
        scheduler->cancel(found->second);
}

bool Engine::Private::mayStep()
{
    if (!scheduler)
        return false;
    // A cancellation between two steps leaves events that the views have to see, even if nobody runs any more.
    if (!scheduler->hasWork() && recorder.current().events.empty()) {
        singleSteps = 0; // asked for when there was nothing to do
        return false;
    }
    if (!paused)
        return true;
    if (singleSteps == 0)
        return false;
    --singleSteps;
    return true;
}

void Engine::Private::forward(const StepPlan& plan)
{
    if (plan.empty())
        return;
    Backend& backend = loaded->model->backend();
#ifndef NDEBUG
    for (BlockId block : plan.freshBlocks)
        backend.poisonBlock(block);
#endif
    for (const BlockCopy& copy : plan.copies)
        backend.copyBlock(copy.source, copy.target);
    buildBatch(plan, loaded->scheduler.blockSize, batch);
    loaded->model->forward(batch);
}

std::span<const Outcome> Engine::Private::sample(const StepPlan& plan)
{
    outcomes.clear();
    const auto vocabulary = static_cast<std::size_t>(loaded->model->spec().vocabSize);
    std::span<float> logits;
    std::int32_t row = 0;
    for (const PlannedMember& member : plan.members) {
        if (!member.samplesNext)
            continue;
        if (row % kLogitRows == 0)
            logits = loaded->model->logits(
                row, std::min(kLogitRows, static_cast<std::int32_t>(batch.logitRows.size()) - row));
        const std::size_t offset = static_cast<std::size_t>(row++ % kLogitRows) * vocabulary;
        ActiveRequest& request = active.at(member.sequence->id);
        ActiveRequest::Step next = request.next(logits.subspan(offset, vocabulary));
        if (next.token)
            outbox.post(report::TextDelta{request.id(), std::move(next.text), *next.token, now()});
        outcomes.push_back({member.sequence->id, next.token.value_or(0), next.end});
    }
    return outcomes;
}

void Engine::Private::reportEnded()
{
    if (!scheduler)
        return;
    for (EndedSequence& ended : scheduler->takeEnded()) {
        auto entry = active.extract(ended.sequence->id);
        ActiveRequest& request = entry.mapped();
        if (std::string rest = request.finish(); !rest.empty())
            outbox.post(report::TextDelta{request.id(), std::move(rest), -1, now()});
        if (ended.reason == EndReason::Error && !ended.explanation)
            ended.explanation = Error{"the model computed no number that is finite", loaded->info.path,
                                      "the file may be damaged: try another one"};
        outbox.post(report::Finished{request.id(), finishReason(ended.reason), std::move(ended.explanation),
                                     statsOf(*ended.sequence)});
        sequenceOf.erase(request.id());
    }
}

void Engine::Private::reportStep()
{
    outbox.post(recorder.take(), [this] { return scheduler->snapshot(); });
}

} // namespace vitrine
