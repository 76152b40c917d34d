// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/text_argument.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/memory_plan.h"
#include "engine/utf8.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace vitrine::cli {
namespace {

using nlohmann::json;

struct InspectFlags {
    std::string model;
    bool json = false;
    EngineFlags engine;
};

/// Longer than any chat template that is in use.
constexpr std::size_t kShownString = 1 << 18;

json toJson(std::string_view text)
{
    return text.size() <= kShownString ? std::string(text)
                                       : "string of " + std::to_string(text.size()) + " bytes";
}

/// Arrays (vocabularies, merges) and strings without measure are described, not listed.
json toJson(const GgufValue& value)
{
    switch (value.type()) {
    case GgufType::String:
        return toJson(*value.as<std::string_view>());
    case GgufType::Bool:
        return *value.as<bool>();
    case GgufType::F32:
    case GgufType::F64:
        return *value.as<double>();
    case GgufType::Array:
        return value.typeName();
    case GgufType::U64:
        return *value.as<std::uint64_t>();
    default:
        return *value.as<std::int64_t>();
    }
}

json describeSpec(const ModelSpec& spec)
{
    return {{"supported", true},
            {"context_length", spec.contextLength},
            {"vocab_size", spec.vocabSize},
            {"embedding_length", spec.embeddingLength},
            {"block_count", spec.layerCount},
            {"head_count", spec.headCount},
            {"head_count_kv", spec.kvHeadCount},
            {"head_dim", spec.headDim},
            {"feed_forward_length", spec.feedForwardLength}};
}

json describeEstimate(const MemoryEstimate& estimate)
{
    return {{"fits", true},
            {"backend", estimate.room.onCard ? "cuda" : "cpu"},
            {"weight_bytes", estimate.weights},
            {"kv_cache_bytes", estimate.kvCache},
            {"activation_bytes", estimate.activations},
            {"total_bytes", estimate.total()},
            {"available_bytes", estimate.room.bytes()},
            {"num_blocks", estimate.scheduler.numBlocks},
            {"block_size", estimate.scheduler.blockSize},
            {"layer_groups", estimate.scheduler.layerGroups()},
            {"max_model_len", estimate.scheduler.maxModelLen}};
}

json describeMemory(const MemoryPlan& plan)
{
    json memory = plan.estimate ? describeEstimate(*plan.estimate)
                                : json{{"fits", false}, {"reason", plan.estimate.error().line()}};
    if (plan.note)
        memory["backend_note"] = textOf(*plan.note);
    return memory;
}

json describeSurvey(const ModelSurvey& survey)
{
    json result = survey.spec ? describeSpec(*survey.spec)
                              : json{{"supported", false}, {"reason", survey.refusal->line()}};
    result["architecture"] = survey.architecture;
    result["name"] = survey.name;
    result["file_bytes"] = survey.fileBytes;
    result["weight_bytes"] = survey.weightBytes;
    result["gguf_version"] = survey.ggufVersion;
    result["parameter_count"] = survey.parameterCount;
    result["tokenizer"] = survey.tokenizer;
    result["tensor_types"] = json::object();
    for (const TensorTypeShare& share : survey.tensorTypes)
        result["tensor_types"][share.type] = share.tensors;
    if (survey.spec) {
        result["chat_template"] = survey.chatTemplate;
        result["warnings"] = survey.warnings;
    }
    return result;
}

json describeTensors(const GgufFile& file)
{
    json tensors = json::array();
    for (const GgufTensor& tensor : file.tensors()) {
        json shape = json::array();
        for (std::uint32_t i = 0; i < tensor.rank; ++i)
            shape.push_back(tensor.dims[i]);
        tensors.push_back({{"name", tensor.name}, {"type", tensor.typeName()}, {"shape", shape}});
    }
    return tensors;
}

/// Everything that the file holds, understood or not.
json describeContents(const GgufFile& file)
{
    json metadata = json::object();
    for (const GgufEntry& entry : file.metadata())
        metadata[std::string(entry.key)] = toJson(entry.value);
    return {{"tensors", describeTensors(file)}, {"metadata", std::move(metadata)}};
}

/// Each key and value on one line, whatever the file has put into them.
std::string asText(const json& described)
{
    constexpr std::size_t kShownBytes = 200;
    std::string text;
    const auto line = [&](const std::string& key, const json& value) {
        const std::string whole = value.is_string()
                                      ? value.get<std::string>()
                                      : value.dump(-1, ' ', false, json::error_handler_t::replace);
        text += printable(key, kShownBytes) + ": " + printable(whole, kShownBytes) + "\n";
    };
    for (const auto& [key, value] : described.items()) {
        if (key == "metadata" || key == "tensors")
            continue;
        if (!value.is_object())
            line(key, value);
        else
            for (const auto& [part, partValue] : value.items())
                line(key + "." + part, partValue);
    }
    for (const auto& [key, value] : described["metadata"].items())
        line("  " + key, value);
    return text;
}

/// A model of a kind that is not known, and one for a card that is not there, are described all the same, and
/// refused as by every other command.
Result<void> inspect(const InspectFlags& flags)
{
    Result<GgufFile> file = GgufFile::open(flags.model);
    if (!file)
        return tl::unexpected(file.error());
    json described = describeContents(*file);
    const ModelSurvey survey = surveyModel(std::move(*file));
    if (survey.refusal && !survey.isForeign)
        return tl::unexpected(*survey.refusal);
    described.update(describeSurvey(survey));
    std::optional<MemoryPlan> plan;
    if (survey.spec) {
        plan = planMemory(*survey.spec, survey, flags.engine, [] { return roomOnCard(); });
        described["memory"] = describeMemory(*plan);
    }
    if (Result<void> shown = flags.json ? printJson(described) : printText(asText(described)); !shown)
        return shown;
    if (survey.refusal)
        return tl::unexpected(*survey.refusal);
    if (plan->lacksCard)
        return tl::unexpected(plan->estimate.error());
    showBackendNote(plan->note, flags.engine.namesBackend, "it would be computed on the processor");
    return {};
}

} // namespace

void addInspect(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<InspectFlags>();
    CLI::App* command = app.add_subcommand("inspect", "What a model file holds");
    command->add_option("model,-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    command->add_flag("--json", flags->json, "print JSON");
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return inspect(*flags); }; });
}

} // namespace vitrine::cli
