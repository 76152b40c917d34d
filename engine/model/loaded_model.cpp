// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/loaded_model.h"

#include "engine/backend/kv_budget.h"
#include "engine/model/model_file.h"
#include "engine/text/end_of_turn.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

namespace vitrine {
namespace {

/// "Q4_1, Q8_0, F32": the types that hold the weights, by share of bytes.
std::string describeTensorTypes(const GgufFile& file)
{
    std::map<std::string, std::size_t> bytes;
    for (const GgufTensor& tensor : file.tensors())
        bytes[tensor.typeName()] += tensor.data.size();
    std::vector<std::pair<std::string, std::size_t>> sorted(bytes.begin(), bytes.end());
    std::ranges::stable_sort(sorted, std::greater{}, &std::pair<std::string, std::size_t>::second);
    std::string text;
    for (const auto& [name, size] : sorted)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::uint64_t countParameters(const GgufFile& file)
{
    std::uint64_t count = 0;
    for (const GgufTensor& tensor : file.tensors())
        count += tensor.elements();
    return count;
}

/// Everything but what the pool decides.
ModelInfo describe(const ModelFile& file, const LoadedModel& loaded)
{
    const std::string& path = file.gguf.path();
    ModelInfo info;
    info.path = path;
    info.name = file.spec.name.empty() ? std::filesystem::path(path).stem().string() : file.spec.name;
    info.architecture = file.spec.architecture;
    info.tensorTypes = describeTensorTypes(file.gguf);
    info.chatTemplate = loaded.chatTemplate->name();
    info.backend = loaded.model->backend().name();
    info.threads = loaded.model->backend().threads();
    info.parameterCount = countParameters(file.gguf);
    info.fileBytes = file.gguf.fileBytes();
    info.vocabSize = file.spec.vocabSize;
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

/// The repacked weights take about the file's size; what the pool may have is what is left beside them.
Result<SchedulerOptions> fitPoolBesideWeights(const ModelFile& file, const EngineOptions& options)
{
    const MemoryRoom room = memoryRoom();
    const auto weightBytes = static_cast<std::int64_t>(file.gguf.fileBytes());
    if (room.bytes() > 0 && weightBytes >= room.bytes())
        return fail("the weights take " + std::to_string(weightBytes >> 20) + " MiB and " + room.text(),
                    file.gguf.path(), "choose a smaller model, or close other programs");
    return fitKvCache(file.spec, options, room.without(weightBytes));
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
    return fitKvCache(model->spec(), wanted,
                      memoryRoom().without(-static_cast<std::int64_t>(info.kvCacheBytes)));
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
    Result<std::unique_ptr<Tokenizer>> tokenizer = file->readTokenizer();
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    const Result<SchedulerOptions> fitted = fitPoolBesideWeights(*file, options);
    if (!fitted)
        return tl::unexpected(fitted.error());
    Result<std::unique_ptr<Backend>> backend = loadBackend(*file, options.threads, progress);
    if (!backend)
        return tl::unexpected(backend.error());
    if (Result<void> same = file->gguf.checkUnchanged(); !same)
        return tl::unexpected(same.error());

    ChosenChatTemplate chosen =
        chooseChatTemplate(file->gguf.find<std::string_view>("tokenizer.chat_template"));
    LoadedModel loaded;
    loaded.tokenizer = std::move(*tokenizer);
    if (const auto end = endOfTurnToken(*chosen.chatTemplate, *loaded.tokenizer))
        loaded.tokenizer->addEndToken(*end);
    loaded.model = std::make_unique<Model>(file->spec, std::move(*backend));
    loaded.chatTemplate = std::move(chosen.chatTemplate);
    loaded.info = describe(*file, loaded);
    loaded.info.templateWarning = std::move(chosen.warning);
    if (Result<void> done = allocatePool(*fitted, options.kvCacheDtype, loaded); !done)
        return tl::unexpected(done.error());
    loaded.info.loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return loaded;
}

} // namespace vitrine
