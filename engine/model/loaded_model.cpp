// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/loaded_model.h"

#include "engine/backend/kv_budget.h"
#include "engine/model/family.h"

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

std::vector<std::string> collectWarnings(const Tokenizer& tokenizer, const ChosenChatTemplate& chosen)
{
    std::vector<std::string> warnings(tokenizer.warnings().begin(), tokenizer.warnings().end());
    if (chosen.warning)
        warnings.push_back(*chosen.warning);
    return warnings;
}

ModelInfo describe(const GgufFile& file, const LoadedModel& loaded, const KvCacheShape& cache)
{
    const ModelSpec& spec = loaded.model->spec();
    ModelInfo info;
    info.path = file.path();
    info.name = spec.name.empty() ? std::filesystem::path(file.path()).stem().string() : spec.name;
    info.architecture = spec.architecture;
    info.tensorTypes = describeTensorTypes(file);
    info.chatTemplate = loaded.chatTemplate->name();
    info.backend = loaded.model->backend().name();
    info.threads = loaded.model->backend().threads();
    info.parameterCount = countParameters(file);
    info.fileBytes = file.fileBytes();
    info.kvCacheBytes = static_cast<std::uint64_t>(kvBlockBytes(spec, cache) * cache.numBlocks);
    info.vocabSize = spec.vocabSize;
    info.contextLength = loaded.scheduler.maxModelLen;
    info.blockSize = loaded.scheduler.blockSize;
    info.numBlocks = loaded.scheduler.numBlocks;
    info.tokenBudget = loaded.scheduler.maxNumBatchedTokens;
    info.maxNumSeqs = std::min(loaded.scheduler.maxNumSeqs, loaded.scheduler.maxNumBatchedTokens);
    return info;
}

Result<void> checkVocabulary(const GgufFile& file, const ModelSpec& spec, const Tokenizer& tokenizer)
{
    if (tokenizer.vocabulary().size() > static_cast<std::size_t>(spec.vocabSize))
        return fail("tokenizer.ggml.tokens: " + std::to_string(tokenizer.vocabulary().size())
                        + " tokens, but token_embd.weight has " + std::to_string(spec.vocabSize) + " rows",
                    file.path());
    return {};
}

Result<std::unique_ptr<Backend>> loadBackend(const GgufFile& file, const ModelSpec& spec, const ModelWeights& weights,
                                             const EngineOptions& options, const LoadStepFn& progress)
{
    if (options.backend == BackendChoice::Cuda)
        return fail("this build has no CUDA backend", "--backend cuda", "use --backend cpu or auto");
    std::unique_ptr<Backend> backend = makeCpuBackend(options.threads);
    const auto onProgress = [&](double fraction) { return progress(fraction, LoadStage::PreparingWeights); };
    const auto onRelease = [&](const Tensor& tensor) {
        if (const GgufTensor* found = file.tensor(tensor.name))
            file.dropPages(*found);
    };
    if (Result<void> done = backend->loadWeights(spec, weights, onProgress, onRelease); !done)
        return tl::unexpected(done.error());
    return backend;
}

} // namespace

Result<LoadedModel> loadModel(const std::string& path, const EngineOptions& options, const LoadStepFn& progress)
{
    const auto start = std::chrono::steady_clock::now();
    if (!progress(0, LoadStage::ReadingFile))
        return tl::unexpected(loadCancelled());
    const Result<GgufFile> file = GgufFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    const Result<ModelSpec> spec = readModelSpec(*file);
    if (!spec)
        return tl::unexpected(spec.error());
    const Result<ModelWeights> weights = findWeights(*file, *spec);
    if (!weights)
        return tl::unexpected(weights.error());
    Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::fromGguf(*file);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    if (Result<void> fits = checkVocabulary(*file, *spec, **tokenizer); !fits)
        return tl::unexpected(fits.error());
    // The repacked weights take about the file's size; what the pool may have is what is left beside them.
    const std::int64_t available = availableMemoryBytes();
    const std::int64_t beside = available > 0 ? std::max<std::int64_t>(
                                    available - static_cast<std::int64_t>(file->fileBytes()), 1)
                                              : 0;
    Result<SchedulerOptions> scheduler = fitKvCache(*spec, options, beside);
    if (!scheduler)
        return tl::unexpected(scheduler.error());
    Result<std::unique_ptr<Backend>> backend = loadBackend(*file, *spec, *weights, options, progress);
    if (!backend)
        return tl::unexpected(backend.error());
    const KvCacheShape cache{scheduler->numBlocks, scheduler->blockSize, options.kvCacheDtype};
    if (Result<void> done = (*backend)->allocateKvCache(cache); !done)
        return tl::unexpected(done.error());
    if (Result<void> same = file->checkUnchanged(); !same)
        return tl::unexpected(same.error());

    ChosenChatTemplate chosen = chooseChatTemplate(file->find<std::string_view>("tokenizer.chat_template"));
    LoadedModel loaded;
    loaded.scheduler = *scheduler;
    loaded.tokenizer = std::move(*tokenizer);
    std::vector<std::string> warnings = collectWarnings(*loaded.tokenizer, chosen);
    loaded.chatTemplate = std::move(chosen.chatTemplate);
    loaded.model = std::make_unique<Model>(*spec, std::move(*backend));
    loaded.info = describe(*file, loaded, cache);
    loaded.info.warnings = std::move(warnings);
    loaded.info.loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return loaded;
}

} // namespace vitrine
