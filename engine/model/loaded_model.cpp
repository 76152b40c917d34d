// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/loaded_model.h"

#include "engine/backend/kv_budget.h"
#include "engine/model/model_file.h"
#include "engine/model/model_survey.h"
#include "engine/model/model_text.h"

#include <algorithm>
#include <chrono>

namespace vitrine {
namespace {

/// Everything but what the pool decides.
ModelInfo describe(const ModelSurvey& survey, const LoadedModel& loaded)
{
    ModelInfo info;
    info.path = survey.path;
    info.name = survey.name;
    info.architecture = survey.architecture;
    info.tensorTypes = survey.tensorTypeNames();
    info.chatTemplate = loaded.chatTemplate->name();
    info.backend = loaded.model->backend().name();
    info.threads = loaded.model->backend().threads();
    info.parameterCount = survey.parameterCount;
    info.fileBytes = survey.fileBytes;
    info.vocabSize = loaded.model->spec().vocabSize;
    info.warnings.assign(loaded.tokenizer->warnings().begin(), loaded.tokenizer->warnings().end());
    return info;
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
    const KvCacheShape cache{fitted.numBlocks, fitted.blockSize, dtype, fitted.maxModelLen};
    if (Result<void> done = loaded.model->backend().allocateKvCache(cache); !done)
        return done;
    loaded.scheduler = fitted;
    describePool(cache, loaded);
    return {};
}

Result<std::unique_ptr<Backend>> loadBackend(const ModelFile& file, int threads, const LoadStepFn& progress)
{
    std::unique_ptr<Backend> backend = makeCpuBackend(threads);
    const auto onProgress = [&](double fraction) { return progress(fraction, LoadStage::PreparingWeights); };
    const auto onRelease = [&](const Tensor& tensor) {
        GgufTensor part; // the tensor of the file may hold others too
        part.data = tensor.data;
        file.gguf.dropPages(part);
    };
    if (Result<void> done = backend->loadWeights(file.spec, file.weights, onProgress, onRelease); !done)
        return tl::unexpected(done.error());
    return backend;
}

} // namespace

Result<void> checkBackend(BackendChoice choice)
{
    if (choice == BackendChoice::Cuda)
        return fail("this build has no CUDA backend", "--backend cuda", "use --backend cpu or auto");
    return {};
}

Result<SchedulerOptions> LoadedModel::fitPool(const EngineOptions& wanted) const
{
    return fitKvCache(model->spec(), wanted, memoryRoom().with(static_cast<std::int64_t>(info.kvCacheBytes)));
}

Result<void> LoadedModel::replacePool(const EngineOptions& wanted)
{
    model->backend().releaseKvCache();
    const Result<SchedulerOptions> fitted = fitKvCache(model->spec(), wanted, memoryRoom());
    if (!fitted)
        return tl::unexpected(fitted.error());
    return allocatePool(*fitted, wanted.kvCacheDtype, *this);
}

void LoadedModel::setThreads(int threads)
{
    model->backend().setThreads(threads);
    info.threads = model->backend().threads();
}

Result<LoadedModel> loadModel(const std::string& path, const EngineOptions& options,
                              const LoadStepFn& progress)
{
    const auto start = std::chrono::steady_clock::now();
    if (!progress(0, LoadStage::ReadingFile))
        return tl::unexpected(loadCancelled());
    if (Result<void> good = checkBackend(options.backend); !good)
        return tl::unexpected(good.error());
    const Result<ModelFile> file = ModelFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    Result<ModelText> text = readModelText(*file);
    if (!text)
        return tl::unexpected(text.error());
    const ModelSurvey survey = surveyFile(file->gguf);
    const Result<MemoryEstimate> memory = estimateMemory(file->spec, survey, options, memoryRoom());
    if (!memory)
        return tl::unexpected(memory.error());
    Result<std::unique_ptr<Backend>> backend = loadBackend(*file, options.threads, progress);
    if (!backend)
        return tl::unexpected(backend.error());
    if (Result<void> same = file->gguf.checkUnchanged(); !same)
        return tl::unexpected(same.error());

    LoadedModel loaded;
    loaded.tokenizer = std::move(text->tokenizer);
    loaded.chatTemplate = std::move(text->chatTemplate);
    loaded.endOfTurnText = std::move(text->endOfTurnText);
    loaded.model = std::make_unique<Model>(file->spec, std::move(*backend));
    loaded.info = describe(survey, loaded);
    loaded.info.templateWarning = std::move(text->templateWarning);
    if (Result<void> done = allocatePool(memory->scheduler, options.kvCacheDtype, loaded); !done)
        return tl::unexpected(done.error());
    loaded.info.loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return loaded;
}

} // namespace vitrine
