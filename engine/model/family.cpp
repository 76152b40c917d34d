// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/family.h"

#include "engine/gguf/gguf_file.h"
#include "engine/model/families/families.h"
#include "engine/utf8.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vitrine {
namespace {

struct Family {
    std::string_view architecture;
    ModelSpec (*read)(MetadataReader&);
};

constexpr std::array kFamilies{
    Family{"llama", readLlama},         Family{"mistral3", readMistral3},
    Family{"internlm2", readInternLm2}, Family{"ernie4_5", readErnie45},
    Family{"qwen2", readQwen2},         Family{"qwen2vl", readQwen2Vl},
    Family{"qwen3", readQwen3},         Family{"qwen3vl", readQwen3Vl},
    Family{"qwen3moe", readQwen3Moe},   Family{"qwen3vlmoe", readQwen3VlMoe},
    Family{"gemma", readGemma1},        Family{"gemma2", readGemma2},
    Family{"gemma3", readGemma3},       Family{"phi3", readPhi3},
    Family{"olmo2", readOlmo2},         Family{"olmoe", readOlmoe},
    Family{"granite", readGranite},     Family{"granitemoe", readGraniteMoe},
    Family{"minicpm", readMiniCpm},     Family{"smollm3", readSmolLm3},
    Family{"exaone", readExaone},       Family{"exaone4", readExaone4},
    Family{"glm4", readGlm4},
};

/// What would change the answers if it were done: the value that asks for nothing.
struct ForeignKey {
    std::string_view key;
    double neutral;
};
constexpr std::array kForeignKeys{
    ForeignKey{"attention.causal", 1},
    ForeignKey{"attention.clamp_kqv", 0},
    ForeignKey{"attention.max_alibi_bias", 0},
    ForeignKey{"attention.temperature_scale", 0},
    ForeignKey{"attn_logit_softcapping", 0},
    ForeignKey{"embedding_scale", 1},
    ForeignKey{"expert_gating_func", 1}, // softmax
    ForeignKey{"expert_shared_count", 0},
    ForeignKey{"expert_weights_scale", 1},
    ForeignKey{"final_logit_softcapping", 0},
    ForeignKey{"leading_dense_block_count", 0},
    ForeignKey{"logit_scale", 1},
    ForeignKey{"nextn_predict_layers", 0},
    ForeignKey{"pooling_type", 0}, // of models that do not write but compare texts
    ForeignKey{"residual_scale", 1},
    ForeignKey{"rope.scaling.yarn_ext_factor", 1},
    ForeignKey{"rope.scaling.yarn_log_multiplier", 0},
    ForeignKey{"router_logit_softcapping", 0},
    ForeignKey{"use_parallel_residual", 0},
};

std::optional<double> numberOf(const GgufValue& value)
{
    if (const auto flag = value.as<bool>())
        return *flag ? 1 : 0;
    return value.as<double>();
}

/// A model that asks for something that its family does not do is another model. 0 is no scale, but the want
/// of one.
void refuseForeignKeys(MetadataReader& metadata)
{
    for (const auto& [key, neutral] : kForeignKeys) {
        if (metadata.wasRead(key))
            continue;
        const GgufValue* value = metadata.value(key);
        const std::optional<double> number = value ? numberOf(*value) : std::nullopt;
        if (!value || number == neutral || (neutral == 1 && number == 0 && key != "attention.causal"))
            continue;
        metadata.refuse(key, "is not supported in this architecture");
    }
    if (!metadata.wasRead("rope.dimension_sections") && metadata.has("rope.dimension_sections"))
        metadata.refuse("rope.dimension_sections", "is not supported in this architecture");
}

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// A model in several files: each but the first lacks what the others hold.
Result<void> refuseSplitFile(const GgufFile& file)
{
    const Result<std::int64_t> parts = file.valueOr<std::int64_t>("split.count", 1);
    if (!parts)
        return tl::unexpected(parts.error());
    if (*parts > 1)
        return fail("split.count: the model is split into " + std::to_string(*parts) + " files", file.path(),
                    "merge them into one GGUF file first");
    return {};
}

} // namespace

Result<ModelSpec> readModelSpec(const GgufFile& file)
{
    if (Result<void> whole = refuseSplitFile(file); !whole)
        return tl::unexpected(whole.error());
    const Result<std::string_view> architecture = file.require<std::string_view>("general.architecture");
    if (!architecture)
        return tl::unexpected(architecture.error());
    const auto* family = std::ranges::find(kFamilies, *architecture, &Family::architecture);
    if (family == kFamilies.end())
        return fail("the architecture \"" + printable(*architecture) + "\" is not supported",
                    file.path() + ", metadata key 'general.architecture'",
                    "supported: " + joined(supportedArchitectures()));
    MetadataReader metadata(file, std::string(*architecture));
    ModelSpec spec = family->read(metadata);
    refuseForeignKeys(metadata);
    if (metadata.error())
        return tl::unexpected(*metadata.error());
    return spec;
}

bool isSupportedArchitecture(std::string_view architecture)
{
    return std::ranges::find(kFamilies, architecture, &Family::architecture) != kFamilies.end();
}

std::vector<std::string> supportedArchitectures()
{
    std::vector<std::string> names;
    for (const Family& family : kFamilies)
        names.emplace_back(family.architecture);
    return names;
}

} // namespace vitrine
