// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/family.h"
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
};

/// Arrays (vocabularies, merges) are described, not listed.
json toJson(const GgufValue& value)
{
    switch (value.type()) {
    case GgufType::String:
        return std::string(*value.as<std::string_view>());
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

json describeSpec(const GgufFile& file)
{
    const Result<ModelSpec> spec = readModelSpec(file);
    if (!spec)
        return {{"supported", false}, {"reason", spec.error().line()}};
    return {{"supported", true},
            {"architecture", spec->architecture},
            {"name", spec->name},
            {"context_length", spec->contextLength},
            {"vocab_size", spec->vocabSize},
            {"embedding_length", spec->embeddingLength},
            {"block_count", spec->layerCount},
            {"head_count", spec->headCount},
            {"head_count_kv", spec->kvHeadCount},
            {"head_dim", spec->headDim},
            {"feed_forward_length", spec->feedForwardLength}};
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

json describe(const GgufFile& file)
{
    json metadata = json::object();
    for (const GgufEntry& entry : file.metadata())
        metadata[std::string(entry.key)] = toJson(entry.value);
    std::uint64_t parameters = 0;
    json types = json::object();
    for (const GgufTensor& tensor : file.tensors()) {
        parameters += tensor.elements();
        json& count = types[tensor.typeName()];
        count = count.is_null() ? 1 : count.get<int>() + 1;
    }
    json result = describeSpec(file);
    result["file_bytes"] = file.fileBytes();
    result["gguf_version"] = file.version();
    result["parameter_count"] = parameters;
    result["tensor_types"] = types;
    result["tensors"] = describeTensors(file);
    result["metadata"] = metadata;
    return result;
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
    for (const auto& [key, value] : described.items())
        if (key != "metadata" && key != "tensors")
            line(key, value);
    for (const auto& [key, value] : described["metadata"].items())
        line("  " + key, value);
    return text;
}

Result<void> inspect(const InspectFlags& flags)
{
    const Result<GgufFile> file = GgufFile::open(flags.model);
    if (!file)
        return tl::unexpected(file.error());
    const json described = describe(*file);
    return flags.json ? printJson(described) : printText(asText(described));
}

} // namespace

void addInspect(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<InspectFlags>();
    CLI::App* command = app.add_subcommand("inspect", "What a model file holds");
    command->add_option("model,-m,--model", flags->model, "GGUF file")->required();
    command->add_flag("--json", flags->json, "print JSON");
    command->callback([flags, &chosen] { chosen = [flags] { return inspect(*flags); }; });
}

} // namespace vitrine::cli
