// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine does with each command; the steps are in engine.cpp.
#include "engine/engine_private.h"
#include "engine/text/prompt_encoder.h"

#include <spdlog/spdlog.h>

namespace vitrine {

void Engine::Private::drainCommands()
{
    for (Command& command : commands.drain())
        std::visit([this](auto& which) { carryOut(which); }, command);
    reportEnded();
}

void Engine::Private::carryOut(command::LoadModel& command)
{
    Result<LoadedModel> next = load(command);
    if (!next) {
        spdlog::warn("loading {} failed: {}", command.path, next.error().line());
        outbox.post(report::LoadFailed{command.load, next.error(), next.error() == loadCancelled()});
        return;
    }
    endAll();
    loaded = std::move(*next);
    const ModelInfo& info = loaded->info;
    spdlog::info("loaded {} ({}, {}) in {:.2f} s, {} blocks of {} slots, {} threads", info.name,
                 info.architecture, info.tensorTypes, info.loadSeconds, info.numBlocks, info.blockSize,
                 info.threads);
    startScheduler();
    outbox.post(report::ModelLoaded{command.load, info});
}

/// Whatever happens, the load that was asked for comes to an end that is told.
Result<LoadedModel> Engine::Private::load(const command::LoadModel& command)
{
    const auto progress = [&](double fraction, LoadStage stage) {
        outbox.post(report::LoadProgress{command.load, fraction, stage});
        return !command.cancel || !command.cancel->load();
    };
    try {
        return loadModel(command.path, options, progress);
    } catch (const std::exception& error) { // out of memory, in nearly all cases
        return fail(std::string("the model could not be loaded: ") + error.what(), command.path,
                    "choose a smaller model, or close other programs");
    }
}

void Engine::Private::carryOut(command::SetOptions& command)
{
    if (Result<void> done = changeTo(command.options); !done) {
        spdlog::warn("other options were refused: {}", done.error().line());
        outbox.post(report::OptionsRefused{done.error()});
        return;
    }
    options = std::move(command.options);
    if (loaded)
        outbox.post(report::OptionsChanged{loaded->info});
}

Result<void> Engine::Private::changeTo(const EngineOptions& wanted)
{
    if (!loaded)
        return {};
    if (Result<void> good = checkBackend(wanted.backend); !good)
        return good;
    if (Result<void> done = changePool(wanted); !done)
        return done;
    if (wanted.threads != options.threads)
        loaded->setThreads(wanted.threads);
    return {};
}

/// What is refused from the start ends nothing that runs. Whether the new pool really fits is known only when
/// the old one's memory has been given back.
Result<void> Engine::Private::changePool(const EngineOptions& wanted)
{
    const bool sameDtype = wanted.kvCacheDtype == options.kvCacheDtype;
    if (sameDtype && wanted.scheduler == options.scheduler && wanted.kvCacheMib == options.kvCacheMib)
        return {}; // a pool whose size is chosen from the memory that is free keeps it
    const Result<SchedulerOptions> fitted = loaded->fitPool(wanted);
    if (!fitted)
        return tl::unexpected(fitted.error());
    if (sameDtype && *fitted == loaded->scheduler)
        return {};
    EngineOptions before = options;
    before.scheduler = loaded->scheduler;
    endAll();
    Result<void> done = buildPool(wanted);
    if (!done)
        restorePool(before);
    return done;
}

Result<void> Engine::Private::buildPool(const EngineOptions& wanted)
{
    try {
        if (Result<void> done = loaded->replacePool(wanted); !done)
            return done;
        startScheduler();
        return {};
    } catch (const std::bad_alloc&) {
        return fail("no memory for the books of so many blocks", "--num-blocks / --kv-cache-mib",
                    "ask for fewer");
    }
}

/// Its memory has just been given back; it is gone where another program was faster.
void Engine::Private::restorePool(const EngineOptions& before)
{
    if (!buildPool(before))
        giveUpModel();
}

/// A model without a pool is of no use.
void Engine::Private::giveUpModel()
{
    spdlog::error("there is no memory for the pool: the model is given up");
    scheduler.reset();
    loaded.reset();
}

void Engine::Private::endAll()
{
    if (!scheduler)
        return;
    scheduler->reset();
    reportEnded();
    scheduler.reset();
}

void Engine::Private::startScheduler()
{
    scheduler.reset(); // its books may be large: never two of them
    recorder = StepRecorder();
    scheduler = std::make_unique<Scheduler>(loaded->scheduler, recorder);
    outbox.reset(scheduler->snapshot());
}

void Engine::Private::carryOut(command::Submit& command)
{
    std::int32_t promptTokens = 0;
    if (const Result<void> done = submit(command, promptTokens); !done)
        for (RequestId answer : command.answers)
            refuse(answer, done.error(), promptTokens);
}

/// All answers are taken in, or none.
Result<void> Engine::Private::submit(const command::Submit& command, std::int32_t& promptTokens)
{
    if (!loaded)
        return fail("no model is loaded", {}, "open a GGUF file first");
    Request content = command.content;
    if (Result<void> good = checkSampling(content.sampling); !good)
        return good;
    Result<std::vector<TokenId>> promptIds = encode(content.prompt);
    if (!promptIds)
        return tl::unexpected(promptIds.error());
    promptTokens = static_cast<std::int32_t>(promptIds->size());
    SequenceSpec spec;
    spec.promptIds = *promptIds;
    spec.maxTokens = content.maxTokens;
    spec.priority = content.priority;
    spec.arrivalSeconds = now();
    const auto sequences = scheduler->submitAnswers(spec, static_cast<std::int32_t>(command.answers.size()));
    if (!sequences)
        return tl::unexpected(sequences.error());
    for (std::size_t i = 0; i < sequences->size(); ++i) {
        const RequestId answer = command.answers[i];
        active.emplace((*sequences)[i],
                       ActiveRequest(answer, content, *promptIds, loaded->tokenizer->vocabulary()));
        sequenceOf.emplace(answer, (*sequences)[i]);
        outbox.post(report::Accepted{answer, (*sequences)[i], promptTokens});
        content.sampling.seed += content.sampling.seed != 0 ? 1 : 0;
    }
    return {};
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
    outbox.post(report::Finished{request, EndReason::Error, std::move(error), stats});
}

void Engine::Private::carryOut(command::Cancel& command)
{
    if (const auto found = sequenceOf.find(command.request); found != sequenceOf.end())
        scheduler->cancel(found->second);
}

} // namespace vitrine
