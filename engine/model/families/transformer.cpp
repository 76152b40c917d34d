// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/utf8.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vitrine {
namespace {

// Bounds far above any model, low enough that no product of two of them overflows 63 bits.
constexpr std::int32_t kMostLayers = 4096;
constexpr std::int32_t kMostHeads = 4096;
constexpr std::int32_t kMostWidth = 1 << 20;
constexpr std::int32_t kMostVocabulary = 1 << 24;
constexpr std::int32_t kMostContext = 1 << 28;
constexpr std::int32_t kMostExperts = 1024;
/// What the attention kernels take (kernels/kv_layout.h).
constexpr std::int32_t kHeadDimStep = 8;
constexpr std::int32_t kMostHeadDim = 256;

void readHeads(MetadataReader& metadata, ModelSpec& spec)
{
    spec.headCount = metadata.count("attention.head_count", kMostHeads);
    spec.kvHeadCount = metadata.countOr("attention.head_count_kv", kMostHeads, spec.headCount);
    spec.headDim =
        metadata.countOr("attention.key_length", kMostWidth, spec.embeddingLength / spec.headCount);
    const std::int32_t valueDim = metadata.countOr("attention.value_length", kMostWidth, spec.headDim);
    if (spec.headCount % spec.kvHeadCount != 0)
        metadata.refuse("attention.head_count_kv", "does not divide attention.head_count");
    if (spec.headDim % kHeadDimStep != 0 || spec.headDim < kHeadDimStep || spec.headDim > kMostHeadDim)
        metadata.refuse("attention.key_length", "heads of " + std::to_string(spec.headDim) + " elements");
    if (valueDim != spec.headDim)
        metadata.refuse("attention.value_length", "differs from the keys' length");
    spec.attentionScale = static_cast<float>(
        metadata.positiveOr("attention.scale", 1 / std::sqrt(static_cast<double>(spec.headDim))));
}

std::int32_t readVocabularySize(MetadataReader& metadata)
{
    const Result<const GgufTensor*> embedding = metadata.file().requireTensor("token_embd.weight");
    if (!embedding) {
        metadata.remember(embedding.error());
        return 1;
    }
    const std::uint64_t size = (*embedding)->dims[1];
    if (size < 1 || size > kMostVocabulary)
        metadata.refuseTensor("token_embd.weight", "a vocabulary of " + std::to_string(size) + " tokens");
    return static_cast<std::int32_t>(std::min<std::uint64_t>(size, kMostVocabulary));
}

/// Which layers have the window, where the file says so for each.
std::optional<std::vector<bool>> windowFlags(MetadataReader& metadata, std::int32_t layerCount)
{
    constexpr std::string_view key = "attention.sliding_window_pattern";
    const GgufValue* pattern = metadata.value(key);
    if (!pattern || pattern->type() != GgufType::Array)
        return std::nullopt;
    if (pattern->elementType() != GgufType::Bool ||
        pattern->count() != static_cast<std::size_t>(layerCount)) {
        metadata.refuse(key, "expected one bool for each of " + std::to_string(layerCount) + " layers");
        return std::nullopt;
    }
    std::vector<bool> flags(pattern->count());
    for (std::size_t layer = 0; layer < flags.size(); ++layer)
        flags[layer] = pattern->numberAt<bool>(layer).value_or(false);
    return flags;
}

} // namespace

ModelSpec readTransformer(MetadataReader& metadata, RopeKind rope)
{
    ModelSpec spec;
    spec.architecture = metadata.architecture();
    spec.name = printable(metadata.file().find<std::string_view>("general.name").value_or(""), 200);
    spec.contextLength = metadata.count("context_length", kMostContext);
    spec.embeddingLength = metadata.count("embedding_length", kMostWidth);
    spec.layerCount = metadata.count("block_count", kMostLayers);
    spec.layers.resize(static_cast<std::size_t>(spec.layerCount));
    spec.feedForwardLength = metadata.count("feed_forward_length", kMostWidth);
    readHeads(metadata, spec);
    spec.rmsEpsilon = static_cast<float>(metadata.positive("attention.layer_norm_rms_epsilon"));
    spec.rope.kind = rope;
    readRope(metadata, spec);
    spec.vocabSize = readVocabularySize(metadata);
    return spec;
}

void readWindows(MetadataReader& metadata, ModelSpec& spec, std::int32_t fallback, std::int32_t period)
{
    const std::int32_t window = metadata.countOrZero("attention.sliding_window", kMostContext, fallback);
    const std::optional<std::vector<bool>> flags = windowFlags(metadata, spec.layerCount);
    if (!flags)
        period = metadata.countOrZero("attention.sliding_window_pattern", kMostLayers, period);
    for (std::int32_t layer = 0; layer < spec.layerCount; ++layer) {
        const auto index = static_cast<std::size_t>(layer);
        const bool seesAll = flags ? !(*flags)[index] : period > 0 && layer % period == period - 1;
        spec.layers[index].window = seesAll ? 0 : window;
    }
}

bool hasWindows(const ModelSpec& spec)
{
    return std::ranges::any_of(spec.layers, [](const LayerSpec& layer) { return layer.window > 0; });
}

void useTableInWindows(ModelSpec& spec, RopeTable table)
{
    const auto index = static_cast<std::int32_t>(spec.rope.tables.size());
    for (LayerSpec& layer : spec.layers)
        if (layer.window > 0)
            layer.ropeTable = index;
    if (hasWindows(spec))
        spec.rope.tables.push_back(std::move(table));
}

bool hasQkvBias(const MetadataReader& metadata)
{
    return metadata.file().tensor("blk.0.attn_q.bias") != nullptr;
}

void readExperts(MetadataReader& metadata, ModelSpec& spec, std::string_view feedForwardKey)
{
    spec.experts.count = metadata.countOrZero("expert_count", kMostExperts, 0);
    if (!spec.hasExperts())
        return;
    spec.experts.used = metadata.count("expert_used_count", spec.experts.count);
    spec.feedForwardLength = metadata.count(feedForwardKey, kMostWidth);
    spec.experts.normalizeWeights = metadata.flagOr("expert_weights_norm", spec.experts.normalizeWeights);
}

} // namespace vitrine
