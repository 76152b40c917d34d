// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/family.h"

#include "engine/gguf/gguf_file.h"
#include "engine/model/families/families.h"
#include "engine/utf8.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

struct Family {
    std::string_view architecture;
    ModelSpec (*read)(MetadataReader&);
};

constexpr std::array kFamilies{
    Family{"llama", readLlama},       Family{"qwen2", readQwen2},   Family{"qwen3", readQwen3},
    Family{"qwen3moe", readQwen3Moe}, Family{"gemma2", readGemma2}, Family{"gemma3", readGemma3},
    Family{"phi3", readPhi3},         Family{"olmo2", readOlmo2},   Family{"granite", readGranite},
    Family{"smollm3", readSmolLm3},
};

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
    if (metadata.error())
        return tl::unexpected(*metadata.error());
    return spec;
}

std::vector<std::string> supportedArchitectures()
{
    std::vector<std::string> names;
    for (const Family& family : kFamilies)
        names.emplace_back(family.architecture);
    return names;
}

} // namespace vitrine
