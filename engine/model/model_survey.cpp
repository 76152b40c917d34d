// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_survey.h"

#include "engine/backend/kv_budget.h"
#include "engine/model/family.h"
#include "engine/model/model_file.h"
#include "engine/model/model_text.h"
#include "engine/utf8.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace vitrine {
namespace {

/// Short and fit to be shown, whatever the file has put there.
std::string foreignText(const GgufFile& file, std::string_view key)
{
    constexpr std::size_t kShownBytes = 200;
    return printable(file.find<std::string_view>(key).value_or(""), kShownBytes);
}

std::string nameOf(const GgufFile& file)
{
    const std::string name = foreignText(file, "general.name");
    return name.empty() ? std::filesystem::path(file.path()).stem().string() : name;
}

std::vector<TensorTypeShare> tensorTypesOf(const GgufFile& file)
{
    std::map<std::uint32_t, TensorTypeShare> byType; // a hostile file has as many types as tensors
    for (const GgufTensor& tensor : file.tensors()) {
        TensorTypeShare& share = byType[tensor.ggmlType];
        if (share.tensors++ == 0)
            share.type = tensor.typeName();
        share.bytes += tensor.data.size();
    }
    std::vector<TensorTypeShare> types;
    for (auto& [type, share] : byType)
        types.push_back(std::move(share));
    std::ranges::stable_sort(types, std::greater{}, &TensorTypeShare::bytes);
    return types;
}

std::string describeTokenizer(const GgufFile& file)
{
    const std::string pre = foreignText(file, "tokenizer.ggml.pre");
    return foreignText(file, "tokenizer.ggml.model") + (pre.empty() ? "" : ", " + pre);
}

} // namespace

std::string ModelSurvey::tensorTypeNames() const
{
    std::string names;
    for (std::size_t i = 0; i < tensorTypes.size() && i < kShownTypes; ++i)
        names += (names.empty() ? "" : ", ") + tensorTypes[i].type;
    return tensorTypes.size() > kShownTypes ? names + ", …" : names;
}

ModelSurvey surveyFile(const GgufFile& file)
{
    ModelSurvey survey;
    survey.path = file.path();
    survey.name = nameOf(file);
    survey.architecture = foreignText(file, "general.architecture");
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
        survey.isForeign = !isSupportedArchitecture(survey.architecture);
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
    estimate.activations = activationBytes(spec, *fitted, room.onCard);
    return estimate;
}

} // namespace vitrine
