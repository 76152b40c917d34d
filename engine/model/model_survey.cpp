// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_survey.h"

#include "engine/backend/kv_budget.h"
#include "engine/model/model_file.h"
#include "engine/model/model_text.h"

#include <algorithm>
#include <filesystem>

namespace vitrine {
namespace {

std::string nameOf(const GgufFile& file)
{
    const std::string_view name = file.find<std::string_view>("general.name").value_or("");
    return name.empty() ? std::filesystem::path(file.path()).stem().string() : std::string(name);
}

std::vector<TensorTypeShare> tensorTypesOf(const GgufFile& file)
{
    std::vector<TensorTypeShare> types;
    for (const GgufTensor& tensor : file.tensors()) {
        const std::string name = tensor.typeName();
        auto found = std::ranges::find(types, name, &TensorTypeShare::type);
        if (found == types.end())
            found = types.insert(types.end(), {name});
        ++found->tensors;
        found->bytes += tensor.data.size();
    }
    std::ranges::stable_sort(types, std::greater{}, &TensorTypeShare::bytes);
    return types;
}

std::string describeTokenizer(const GgufFile& file)
{
    std::string text(file.find<std::string_view>("tokenizer.ggml.model").value_or(""));
    if (const auto pre = file.find<std::string_view>("tokenizer.ggml.pre"))
        text += ", " + std::string(*pre);
    return text;
}

} // namespace

std::string ModelSurvey::tensorTypeNames() const
{
    std::string names;
    for (const TensorTypeShare& share : tensorTypes)
        names += (names.empty() ? "" : ", ") + share.type;
    return names;
}

ModelSurvey surveyFile(const GgufFile& file)
{
    ModelSurvey survey;
    survey.path = file.path();
    survey.name = nameOf(file);
    survey.architecture = file.find<std::string_view>("general.architecture").value_or("");
    survey.ggufVersion = file.version();
    survey.fileBytes = file.fileBytes();
    survey.tensorTypes = tensorTypesOf(file);
    for (const TensorTypeShare& share : survey.tensorTypes)
        survey.weightBytes += share.bytes;
    for (const GgufTensor& tensor : file.tensors())
        survey.parameterCount += tensor.elements();
    survey.tokenizer = describeTokenizer(file);
    return survey;
}

ModelSurvey surveyModel(GgufFile gguf)
{
    ModelSurvey survey = surveyFile(gguf);
    const Result<ModelFile> file = ModelFile::read(std::move(gguf));
    if (!file) {
        survey.refusal = file.error();
        return survey;
    }
    const Result<ModelText> text = readModelText(*file);
    if (!text) {
        survey.refusal = text.error();
        return survey;
    }
    survey.spec = file->spec;
    survey.chatTemplate = text->chatTemplate->name();
    survey.warnings.assign(text->tokenizer->warnings().begin(), text->tokenizer->warnings().end());
    if (text->templateWarning)
        survey.warnings.push_back(*text->templateWarning);
    return survey;
}

Result<MemoryEstimate> estimateMemory(const ModelSpec& spec, const ModelSurvey& file,
                                      const EngineOptions& options, MemoryRoom room)
{
    MemoryEstimate estimate;
    estimate.weights = static_cast<std::int64_t>(file.weightBytes);
    estimate.room = room;
    if (room.bytes() > 0 && estimate.weights >= room.bytes())
        return fail("the weights take " + std::to_string(estimate.weights >> 20) + " MiB and " + room.text(),
                    file.path, "choose a smaller model, or close other programs");
    const Result<SchedulerOptions> fitted = fitKvCache(spec, options, room.without(estimate.weights));
    if (!fitted)
        return tl::unexpected(fitted.error());
    estimate.scheduler = *fitted;
    estimate.kvCache =
        kvBlockBytes(spec, {fitted->numBlocks, fitted->blockSize, options.kvCacheDtype}) * fitted->numBlocks;
    estimate.activations = activationBytes(spec, fitted->maxNumBatchedTokens);
    return estimate;
}

} // namespace vitrine
