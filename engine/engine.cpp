// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include "engine/batch_builder.h"
#include "engine/engine_private.h"
#include "engine/memory_room.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <new>

namespace vitrine {
namespace {

/// Rows of whole logits that are held at once: 6 MB for a vocabulary of 49,152.
constexpr std::size_t kLogitRows = 32;

std::int32_t micros(double seconds)
{
    return static_cast<std::int32_t>(seconds * 1e6);
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

Engine::Engine(EngineOptions options, OpenCardFn openTheCard)
    : d(std::make_unique<Private>(std::move(options), std::move(openTheCard)))
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
        return d->step();
    } catch (const std::exception& error) { // out of memory, in nearly all cases
        d->recover(reasonOf(error));
        return true;
    }
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

bool Engine::Private::step()
{
    drainCommands();
    if (!mayStep()) {
        reportChanges();
        return false;
    }
    try {
        computeStep();
    } catch (const BackendFailed& failure) {
        goOnWithoutCard({CardProblem::Failed, failure.what()});
    } catch (const BackendOutOfMemory&) {
        Backend& card = loaded->model->backend();
        goOnWithoutCard({CardProblem::CannotHold,
                         card.name() + " has too little memory for a step: " + card.room().text()});
    }
    return true;
}

void Engine::Private::computeStep()
{
    StepRecord& record = recorder.current();
    record.beginSeconds = now();
    const StepPlan& plan = scheduler->plan(record.beginSeconds);
    const double planned = now();
    outcomes.clear();
    forward(plan);
    const double computed = now();
    const std::span<const Outcome> sampled = sample(plan);
    record.endSeconds = now();
    record.planMicros = micros(planned - record.beginSeconds);
    record.forwardMicros = micros(computed - planned);
    record.sampleMicros = micros(record.endSeconds - computed);
    scheduler->commit(sampled, record.endSeconds);
    reportEnded();
    reportStep();
}

/// Slow motion: commands that come meanwhile are carried out at once and do not bring the next step forward.
void Engine::Private::waitForNextStep(const std::stop_token& stop)
{
    using std::chrono::steady_clock;
    const steady_clock::time_point next = steady_clock::now() + stepDelay;
    while (!stop.stop_requested() && stepDelay.count() > 0 && steady_clock::now() < next) {
        commands.waitFor(std::chrono::ceil<std::chrono::milliseconds>(next - steady_clock::now()));
        carryOutCommands();
    }
}

void Engine::Private::carryOutCommands()
{
    try {
        drainCommands();
        reportChanges();
    } catch (const std::exception& error) {
        recover(reasonOf(error));
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
    reserve.reset();
    spdlog::error("the engine starts again after: {}", what);
    refuseAll(what);
    try {
        if (loaded)
            startScheduler();
    } catch (const std::bad_alloc&) {
        giveUpModel();
    }
    keepReserve();
}

void Engine::Private::keepReserve()
{
    if (!reserve)
        reserve.reset(new (std::nothrow) std::byte[kReserveBytes]); // none: the next time goes as it may
}

void Engine::Private::refuseAll(const std::string& what)
{
    const Error error{
        "the engine could not go on: " + what, {}, "use a smaller KV cache, fewer chats or a smaller model"};
    for (const auto& [sequence, request] : active)
        refuse(request.id(), error);
    active.clear();
    sequenceOf.clear();
}

/// The graphics card cannot compute a step: the processor takes over, and computes every sequence again
/// from its tokens. What was sampled before the failure has been told, and stays.
void Engine::Private::goOnWithoutCard(const BackendNote& note)
{
    const std::string& why = note.detail;
    spdlog::warn("{}: the processor takes over", why);
    recorder.current().endSeconds = now();
    scheduler->loseCache(outcomes, now());
    reportEnded();
    reportStep();
    loaded->info.backendNote = note;
    outbox.post(report::OptionsChanged{std::make_shared<ModelInfo>(loaded->info), options});
    try {
        if (const Result<void> moved = loaded->moveToCpu(options); !moved) {
            refuseAll(why + "; " + moved.error().line());
            return giveUpModel();
        }
        takeNewPool();
    } catch (const std::exception& error) {
        refuseAll(why + "; " + reasonOf(error));
        return giveUpModel();
    }
    outbox.post(report::OptionsChanged{std::make_shared<ModelInfo>(loaded->info), options});
}

/// The sequences go on; the views begin anew only where the pool has another size.
void Engine::Private::takeNewPool()
{
    const SchedulerOptions& before = scheduler->options();
    if (loaded->scheduler.numBlocks == before.numBlocks &&
        loaded->scheduler.maxModelLen == before.maxModelLen)
        return;
    scheduler = std::make_unique<Scheduler>(loaded->scheduler, recorder, std::move(*scheduler));
    outbox.reset(scheduler->snapshot());
    reportEnded();
    reportChanges();
}

bool Engine::Private::mayStep()
{
    if (!scheduler)
        return false;
    if (!scheduler->hasWork()) {
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
    buildBatch(plan, scheduler->tableShape(), batch);
    loaded->model->forward(batch);
}

std::span<const Outcome> Engine::Private::sample(const StepPlan& plan)
{
    sampling.clear();
    for (const PlannedMember& member : plan.members)
        if (member.samplesNext)
            sampling.push_back(member.sequence->id);
    const std::optional<TopLogits> greatest = greatestLogits();
    for (std::size_t first = 0; first < sampling.size(); first += kLogitRows)
        sampleRows(first, std::min(kLogitRows, sampling.size() - first), greatest);
    return outcomes;
}

/// `greatest`: of all rows of the step. All logits are computed for the rows that those are not enough for,
/// and for what lies between them: one call.
void Engine::Private::sampleRows(std::size_t first, std::size_t count,
                                 const std::optional<TopLogits>& greatest)
{
    std::array<std::optional<TopLogits>, kLogitRows> enough;
    std::size_t from = first + count;
    std::size_t to = first;
    for (std::size_t row = first; row < first + count; ++row) {
        enough[row - first] = enoughFor(row, greatest);
        if (enough[row - first])
            continue;
        from = std::min(from, row);
        to = row + 1;
    }
    const std::span<float> logits = from < to ? loaded->model->logits(static_cast<std::int32_t>(from),
                                                                      static_cast<std::int32_t>(to - from))
                                              : std::span<float>();
    const std::size_t width = from < to ? logits.size() / (to - from) : 0;
    for (std::size_t row = first; row < first + count; ++row) {
        ActiveRequest& request = active.at(sampling[row]);
        const std::optional<TopLogits>& top = enough[row - first];
        ActiveRequest::Step next = top ? request.next(top->logits, top->tokens)
                                       : request.next(logits.subspan((row - from) * width, width));
        if (next.token)
            outbox.post(report::TextDelta{request.id(), std::move(next.text), *next.token, now(),
                                          std::move(next.reasoning)});
        outcomes.push_back({sampling[row], next.token.value_or(0), next.end});
    }
}

/// Of all rows of the step at once, as many as any of those needs that do not need all; where the backend
/// finds them by itself.
std::optional<TopLogits> Engine::Private::greatestLogits()
{
    std::int32_t needed = 0;
    for (const SequenceId row : sampling)
        if (const std::int32_t ofRow = active.at(row).logitsNeeded(); ofRow <= kMaxTopLogits)
            needed = std::max(needed, ofRow);
    if (needed == 0)
        return std::nullopt;
    return loaded->model->topLogits(0, static_cast<std::int32_t>(sampling.size()), needed);
}

/// The row's part of `greatest`, where it is enough to choose the next token.
std::optional<TopLogits> Engine::Private::enoughFor(std::size_t row,
                                                    const std::optional<TopLogits>& greatest) const
{
    if (!greatest)
        return std::nullopt;
    const std::size_t width = greatest->logits.size() / sampling.size();
    const TopLogits part{greatest->logits.subspan(row * width, width),
                         greatest->tokens.subspan(row * width, width)};
    const ActiveRequest& request = active.at(sampling[row]);
    const auto needed = static_cast<std::size_t>(request.logitsNeeded());
    const bool isEnough = needed > 0 && needed <= width && request.isEnough(part.logits, part.tokens);
    return isEnough ? std::optional(part) : std::nullopt;
}

void Engine::Private::reportEnded()
{
    if (!scheduler)
        return;
    for (EndedSequence& ended : scheduler->takeEnded()) {
        auto entry = active.extract(ended.sequence->id);
        ActiveRequest& request = entry.mapped();
        if (auto [reasoning, answer] = request.finish(); !reasoning.empty() || !answer.empty())
            outbox.post(report::TextDelta{request.id(), std::move(answer), -1, now(), std::move(reasoning)});
        if (ended.reason == EndReason::Error && !ended.explanation)
            ended.explanation = Error{"the model computed no number that is finite", loaded->info.path,
                                      "the file may be damaged: try another one"};
        outbox.post(report::Finished{request.id(), ended.reason, std::move(ended.explanation),
                                     statsOf(*ended.sequence)});
        sequenceOf.erase(request.id());
    }
}

void Engine::Private::reportStep()
{
    outbox.post(recorder.take(), [this] { return scheduler->snapshot(); });
}

/// What commands have done to the pool is seen at once where no step is computed now: a chat that is
/// cancelled while the engine is paused gives its blocks back, and the views must not show what the pool does
/// not hold.
void Engine::Private::reportChanges()
{
    StepRecord& record = recorder.current();
    if (!scheduler || record.events.empty())
        return;
    record.beginSeconds = record.endSeconds = now();
    scheduler->completeEmptyStep();
    reportStep();
}

} // namespace vitrine
