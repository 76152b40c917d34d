// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/loaded_model.h"

#include "engine/backend/kv_budget.h"
#include "engine/model/chosen_backend.h"
#include "engine/model/model_file.h"
#include "engine/model/model_survey.h"
#include "engine/model/model_text.h"

#include <algorithm>
#include <chrono>

namespace vitrine {
namespace {

/// Everything but what backend and pool decide.
void describe(const ModelSurvey& survey, LoadedModel& loaded)
{
    ModelInfo& info = loaded.info;
    info.path = survey.path;
    info.name = survey.name;
    info.architecture = survey.architecture;
    info.tensorTypes = survey.tensorTypeNames();
    info.chatTemplate = loaded.chatTemplate->name();
    info.parameterCount = survey.parameterCount;
    info.fileBytes = survey.fileBytes;
    info.vocabSize = loaded.model->spec().vocabSize;
    info.warnings.assign(loaded.tokenizer->warnings().begin(), loaded.tokenizer->warnings().end());
}

void describePool(const KvCacheShape& cache, LoadedModel& loaded)
{
    const SchedulerOptions& options = loaded.scheduler;
    ModelInfo& info = loaded.info;
    info.kvCacheBytes =
        static_cast<std::uint64_t>(kvBlockBytes(loaded.model->spec(), cache) * cache.numBlocks);
    info.contextLength = options.maxModelLen;
    info.blockSize = options.blockSize;
    info.numBlocks = options.numBlocks;
    info.tokenBudget = options.maxNumBatchedTokens;
    info.maxNumSeqs = std::min(options.maxNumSeqs, options.maxNumBatchedTokens);
}

Result<void> allocatePool(const SchedulerOptions& fitted, KvCacheDtype dtype, LoadedModel& loaded)
{
    const KvCacheShape cache{fitted.numBlocks,
                             fitted.blockSize,
                             dtype,
                             fitted.maxModelLen,
                             fitted.maxNumBatchedTokens,
                             std::min(fitted.maxNumSeqs, fitted.maxNumBatchedTokens)};
    if (Result<void> done = loaded.model->backend().allocateKvCache(cache); !done)
        return done;
    loaded.scheduler = fitted;
    describePool(cache, loaded);
    return {};
}

/// A model file, and what becomes of it.
struct Loading {
    const ModelFile& file;
    const ModelSurvey& survey;
    const LoadStepFn& progress;
    LoadedModel& loaded;
};

Result<void> loadWeights(Backend& backend, const Loading& loading)
{
    const ModelFile& file = loading.file;
    const auto onProgress = [&](double fraction) {
        return loading.progress(fraction, LoadStage::PreparingWeights);
    };
    const auto onRelease = [&](const Tensor& tensor) {
        GgufTensor part; // the tensor of the file may hold others too
        part.data = tensor.data;
        file.gguf.dropPages(part);
    };
    if (Result<void> done = backend.loadWeights(file.spec, file.weights, onProgress, onRelease); !done)
        return done;
    return file.gguf.checkUnchanged();
}

/// On a card the weights may take more than they are long: the pool is fitted to what they leave.
Result<SchedulerOptions> fitBesideWeights(Backend& backend, const MemoryEstimate& before,
                                          const EngineOptions& options, const Loading& loading)
{
    return backend.room().onCard ? fitKvCache(loading.file.spec, options, backend.room()) : before.scheduler;
}

/// What does not fit is refused, with numbers, before anything is read.
Result<void> loadOn(std::unique_ptr<Backend> backend, const EngineOptions& options, const Loading& loading)
{
    const MemoryRoom room = backend->room();
    const Result<MemoryEstimate> memory = estimateMemory(loading.file.spec, loading.survey, options, room);
    if (!memory)
        return tl::unexpected(memory.error());
    if (Result<void> done = loadWeights(*backend, loading); !done)
        return done;
    const Result<SchedulerOptions> fitted = fitBesideWeights(*backend, *memory, options, loading);
    if (!fitted)
        return tl::unexpected(fitted.error());
    LoadedModel& loaded = loading.loaded;
    loaded.model = std::make_unique<Model>(loading.file.spec, std::move(backend));
    loaded.info.backend = loaded.model->backend().name();
    loaded.info.threads = loaded.model->backend().threads();
    loaded.info.cardBytes = room.onCard ? room.bytes() : 0;
    return allocatePool(*fitted, options.kvCacheDtype, loaded);
}

/// On the card, with room for the pool, or not at all.
tl::expected<void, CardRefusal> loadOnCard(const OpenCardFn& openTheCard, const EngineOptions& options,
                                           const Loading& loading)
{
    auto card = openTheCard();
    if (!card)
        return tl::unexpected(noCardRefusal(card.error()));
    try {
        return loadOn(std::move(*card), options, loading).map_error(cannotHold);
    } catch (const BackendFailed& failure) {
        return tl::unexpected(noCardRefusal({CardProblem::Failed, failure.what()}));
    }
}

Result<void> loadOnChoice(const OpenCardFn& openTheCard, const EngineOptions& options, const Loading& loading)
{
    const auto onCard = [&] { return loadOnCard(openTheCard, options, loading); };
    const auto onProcessor = [&] {
        loading.loaded.model.reset(); // what there is of it on the card
        return loadOn(makeCpuBackend(options.threads), options, loading);
    };
    auto [done, note] = onChosenBackend<void>(options.backend, onCard, onProcessor);
    loading.loaded.info.backendNote = std::move(note);
    return done;
}

} // namespace

Result<SchedulerOptions> LoadedModel::fitPool(const EngineOptions& wanted) const
{
    MemoryRoom room = model->backend().room().with(static_cast<std::int64_t>(info.kvCacheBytes));
    if (room.onCard) // where a step's memory comes and goes with the pool
        room = room.with(activationBytes(model->spec(), scheduler, true));
    return fitKvCache(model->spec(), wanted, room);
}

Result<void> LoadedModel::replacePool(const EngineOptions& wanted)
{
    model->backend().releaseKvCache();
    const Result<SchedulerOptions> fitted = fitKvCache(model->spec(), wanted, model->backend().room());
    if (!fitted)
        return tl::unexpected(fitted.error());
    return allocatePool(*fitted, wanted.kvCacheDtype, *this);
}

void LoadedModel::setThreads(int threads)
{
    model->backend().setThreads(threads);
    info.threads = model->backend().threads();
}

Result<void> LoadedModel::moveToCpu(const EngineOptions& options)
{
    model.reset(); // no memory is taken twice
    const Result<ModelFile> file = ModelFile::open(info.path);
    if (!file)
        return tl::unexpected(file.error());
    const LoadStepFn goOn = [](double, LoadStage) { return true; };
    const ModelSurvey survey = surveyFile(file->gguf);
    const Loading loading{*file, survey, goOn, *this};
    if (loadOn(makeCpuBackend(options.threads), options, loading))
        return {};
    EngineOptions smaller = options;
    smaller.scheduler.numBlocks = 0;
    smaller.kvCacheMib = 0;
    model.reset();
    return loadOn(makeCpuBackend(options.threads), smaller, loading);
}

Result<LoadedModel> loadModel(const std::string& path, const EngineOptions& options,
                              const LoadStepFn& progress, const OpenCardFn& openTheCard)
{
    const auto start = std::chrono::steady_clock::now();
    if (!progress(0, LoadStage::ReadingFile))
        return tl::unexpected(loadCancelled());
    const Result<ModelFile> file = ModelFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    Result<ModelText> text = readModelText(*file);
    if (!text)
        return tl::unexpected(text.error());
    const ModelSurvey survey = surveyFile(file->gguf);
    LoadedModel loaded;
    if (Result<void> done = loadOnChoice(openTheCard, options, {*file, survey, progress, loaded}); !done)
        return tl::unexpected(done.error());
    loaded.tokenizer = std::move(text->tokenizer);
    loaded.chatTemplate = std::move(text->chatTemplate);
    loaded.endOfTurnText = std::move(text->endOfTurnText);
    describe(survey, loaded);
    loaded.info.templateWarning = std::move(text->templateWarning);
    loaded.info.loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return loaded;
}

} // namespace vitrine
