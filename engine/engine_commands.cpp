// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine does with each command; the steps are in engine.cpp.
#include "engine/block_content.h"
#include "engine/engine_private.h"
#include "engine/memory_room.h"
#include "engine/text/chat_ml.h"
#include "engine/text/prompt_encoder.h"
#include "engine/utf8.h"

#include <spdlog/spdlog.h>

namespace vitrine {
namespace {

/// Of a block's text.
constexpr std::size_t kMostShownBytes = 4096;

} // namespace

void Engine::Private::drainCommands()
{
    // One that throws is not to take those behind it with it.
    if (taken.empty())
        taken = commands.drain();
    while (nextTaken < taken.size()) {
        Command command = std::move(taken[nextTaken++]);
        std::visit([this](auto& which) { carryOut(which); }, command);
    }
    taken.clear();
    nextTaken = 0;
    reportEnded();
}

void Engine::Private::carryOut(command::LoadModel& command)
{
    if (const Result<void> done = load(command); !done) {
        spdlog::warn("loading {} failed: {}", printable(command.path, kWholeText), done.error().line());
        outbox.post(report::LoadFailed{command.load, done.error(), done.error() == loadCancelled()});
        return;
    }
    const ModelInfo& info = loaded->info;
    spdlog::info("loaded {} ({}, {}) in {:.2f} s, {} blocks of {} slots, {} threads", printable(info.name),
                 printable(info.architecture), info.tensorTypes, info.loadSeconds, info.numBlocks,
                 info.blockSize, info.threads);
    outbox.post(report::ModelLoaded{command.load, std::make_shared<ModelInfo>(info)});
}

/// Whatever happens, the load that was asked for comes to an end that is told.
Result<void> Engine::Private::load(const command::LoadModel& command)
{
    const auto progress = [&](double fraction, LoadStage stage) {
        outbox.post(report::LoadProgress{command.load, fraction, stage});
        return !command.cancel || !command.cancel->load();
    };
    const std::string before = loaded ? loaded->info.path : std::string();
    try {
        const EngineOptions wanted = command.options.value_or(options);
        Result<LoadedModel> next = loadModel(command.path, wanted, progress, [this] {
            leaveCard();
            return openCard();
        });
        if (!next) {
            if (!before.empty() && !loaded)
                bringBack(before);
            return tl::unexpected(next.error());
        }
        endAll();
        loaded = std::move(*next);
        options = wanted;
        startScheduler();
        return {};
    } catch (const std::exception& error) { // out of memory, in nearly all cases
        if (!before.empty() && !scheduler)
            bringBack(before);
        return fail(std::string("the model could not be loaded: ") + reasonOf(error), command.path,
                    "choose a smaller model, or close other programs");
    }
}

/// The model that left the card for one that could not be loaded: on the card again, or on the processor.
void Engine::Private::bringBack(const std::string& path)
{
    EngineOptions anywhere = options;
    anywhere.backend = options.backend == BackendChoice::Cpu ? BackendChoice::Cpu : BackendChoice::Auto;
    const LoadStepFn goOn = [](double, LoadStage) { return true; };
    try {
        loaded.reset();
        Result<LoadedModel> again = loadModel(path, anywhere, goOn, openCard);
        if (!again) {
            spdlog::error("the model before does not come back: {}", again.error().line());
            return giveUpModel();
        }
        loaded = std::move(*again);
        startScheduler();
    } catch (const std::exception& error) {
        spdlog::error("the model before does not come back: {}", reasonOf(error));
        return giveUpModel();
    }
    outbox.post(report::OptionsChanged{std::make_shared<ModelInfo>(loaded->info), options});
}

/// A pool takes most of a card's memory: the next model finds room only where the one before has gone.
void Engine::Private::leaveCard()
{
    if (!loaded || !loaded->model->backend().room().onCard)
        return;
    endAll();
    loaded.reset();
}

void Engine::Private::carryOut(command::SetOptions& command)
{
    if (Result<void> done = changeTo(command.options); !done) {
        spdlog::warn("other options were refused: {}", done.error().line());
        outbox.post(report::OptionsRefused{done.error(), std::move(command.options)});
        return;
    }
    options = std::move(command.options);
    if (loaded)
        outbox.post(report::OptionsChanged{std::make_shared<ModelInfo>(loaded->info), options});
}

/// All of the options, or none.
Result<void> Engine::Private::changeTo(const EngineOptions& wanted)
{
    if (!loaded)
        return {};
    if (wanted.backend != options.backend && mustMove(wanted.backend))
        return load({LoadId{}, loaded->info.path, nullptr, wanted});
    const bool otherThreads = wanted.threads != options.threads;
    if (otherThreads) {
        if (Result<void> done = changeThreads(wanted.threads); !done)
            return done;
    }
    Result<void> done = changePool(wanted);
    if (!done && loaded && otherThreads)
        (void)changeThreads(options.threads);
    return done;
}

/// Whether the model has to be loaded anew for another backend. A card that is not there is no reason.
bool Engine::Private::mustMove(BackendChoice wanted)
{
    const bool onCard = loaded->model->backend().room().onCard;
    if (wanted == BackendChoice::Cpu || onCard) {
        loaded->info.backendNote.reset();
        return wanted == BackendChoice::Cpu && onCard;
    }
    const auto card = openCard();
    if (!card)
        loaded->info.backendNote = card.error();
    return card || wanted == BackendChoice::Cuda;
}

Result<void> Engine::Private::changeThreads(int threads)
{
    try {
        loaded->setThreads(threads);
        return {};
    } catch (const std::exception& error) {
        return fail(std::string("no memory for so many threads: ") + reasonOf(error), "--threads",
                    "ask for fewer");
    }
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
        if (Result<void> done = replacePool(wanted); !done)
            return done;
        startScheduler();
        return {};
    } catch (const std::bad_alloc&) {
        return fail("no memory for the books of so many blocks: " + memoryRoom().text(),
                    "--num-blocks / --kv-cache-mib", "ask for fewer");
    }
}

/// A graphics card that has failed meanwhile shows here: the processor takes over.
Result<void> Engine::Private::replacePool(const EngineOptions& wanted)
{
    try {
        return loaded->replacePool(wanted);
    } catch (const BackendFailed& failure) {
        spdlog::warn("{}: the processor takes over", failure.what());
        loaded->info.backendNote = BackendNote{CardProblem::Failed, failure.what()};
        return loaded->moveToCpu(wanted);
    }
}

/// Its memory has just been given back; it is gone where another program was faster.
void Engine::Private::restorePool(const EngineOptions& before)
{
    if (!loaded->model || !buildPool(before))
        giveUpModel();
}

/// A model without a pool is of no use.
void Engine::Private::giveUpModel()
{
    spdlog::error("the model is given up: there is no memory for its pool, or it had to leave the card");
    scheduler.reset();
    loaded.reset();
    outbox.reset({}); // the views have nothing to show any more
    outbox.post(report::ModelGone{});
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
    report::Finished refusal{{}, EndReason::Error, {}, {}};
    Result<void> done;
    try {
        done = submit(command, refusal);
    } catch (const std::exception& error) {
        reserve.reset(); // for telling it
        done = fail(std::string("the prompt could not be taken in: ") + reasonOf(error), {}, "shorten it");
    }
    if (done)
        return;
    refusal.error = std::move(done.error());
    for (RequestId answer : command.answers) {
        refusal.request = answer;
        if (!sequenceOf.contains(answer))
            outbox.post(refusal);
    }
    keepReserve();
}

Result<void> Engine::Private::submit(command::Submit& command, report::Finished& refusal)
{
    if (!loaded)
        return fail("no model is loaded", {}, "open a GGUF file first");
    Request& content = command.content;
    if (Result<void> good = checkSampling(content.sampling); !good)
        return good;
    const bool isOfModel = content.format == ChatFormat::OfModel;
    const bool isChat = std::holds_alternative<std::vector<ChatMessage>>(content.prompt);
    Result<PromptText> written = writePrompt(content.prompt, *loaded->tokenizer,
                                             isOfModel ? *loaded->chatTemplate : *chatMlTemplate());
    if (!written) {
        refusal.refusedByTemplate = isOfModel && isChat;
        return tl::unexpected(written.error());
    }
    const auto prompt = std::make_shared<const PromptText>(std::move(*written));
    const auto promptTokens = static_cast<std::int32_t>(prompt->tokens.size());
    refusal.stats.promptTokens =
        promptTokens; // a chat that is told how much too long it is can shorten itself
    SequenceSpec spec;
    spec.promptIds = prompt->tokens;
    spec.maxTokens = content.maxTokens;
    spec.priority = content.priority;
    spec.arrivalSeconds = now();
    if (isChat && !content.ignoreEos)
        content.stop.push_back(isOfModel ? loaded->endOfTurnText : std::string(kChatMlEndOfTurn));
    const std::optional<ReasoningSplitter> splitter =
        isChat ? std::optional(ReasoningSplitter(openedReasoning(prompt->afterMessages()))) : std::nullopt;
    // Made before the scheduler knows of them: afterwards nothing can fail that would leave one half known.
    const std::size_t count = command.answers.size();
    decltype(active) requests;
    decltype(sequenceOf) places;
    for (std::size_t i = 0; i < count; ++i) {
        requests.emplace(SequenceId{static_cast<std::uint32_t>(i)},
                         ActiveRequest(command.answers[i], content, prompt->tokens,
                                       loaded->tokenizer->vocabulary(), splitter));
        places.emplace(command.answers[i], SequenceId{});
        content.sampling.seed += content.sampling.seed != 0 ? 1 : 0;
    }
    active.reserve(active.size() + count);
    sequenceOf.reserve(sequenceOf.size() + count);
    const auto sequences = scheduler->submitAnswers(std::move(spec), static_cast<std::int32_t>(count));
    if (!sequences)
        return tl::unexpected(sequences.error());
    for (std::size_t i = 0; i < count; ++i) {
        auto request = requests.extract(SequenceId{static_cast<std::uint32_t>(i)});
        request.key() = (*sequences)[i];
        active.insert(std::move(request));
        auto place = places.extract(command.answers[i]);
        place.mapped() = (*sequences)[i];
        sequenceOf.insert(std::move(place));
    }
    for (std::size_t i = 0; i < count; ++i)
        outbox.post(report::Accepted{command.answers[i], (*sequences)[i], promptTokens, prompt});
    return {};
}

void Engine::Private::refuse(RequestId request, Error error)
{
    outbox.post(report::Finished{request, EndReason::Error, std::move(error), {}});
}

void Engine::Private::carryOut(command::Cancel& command)
{
    if (const auto found = sequenceOf.find(command.request); found != sequenceOf.end())
        scheduler->cancel(found->second);
}

void Engine::Private::carryOut(command::DescribeBlock& command)
{
    auto content = std::make_shared<BlockText>();
    content->block = command.block;
    content->generation = outbox.generation();
    if (scheduler) {
        content->step = scheduler->step();
        describeBlock(*scheduler, *content);
        content->text = shownTokens(content->tokens, loaded->tokenizer->vocabulary(), kMostShownBytes);
    }
    outbox.post(report::BlockDescribed{std::move(content)});
}

} // namespace vitrine
