// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_file.h"
#include "engine/model/families/families.h"
#include "engine/model/metadata_reader.h"

#include <cmath>

namespace vitrine {
namespace {

// Bounds far above any model, low enough that no product of two of them overflows 63 bits.
constexpr std::int32_t kMostLayers = 4096;
constexpr std::int32_t kMostHeads = 4096;
constexpr std::int32_t kMostWidth = 1 << 20;
constexpr std::int32_t kMostVocabulary = 1 << 24;
constexpr std::int32_t kMostContext = 1 << 28;
/// What the attention kernels take (kernels/kv_layout.h).
constexpr std::int32_t kHeadDimStep = 8;
constexpr std::int32_t kMostHeadDim = 256;

void readScaling(MetadataReader& metadata, RopeSpec& rope)
{
    const std::string type = metadata.textOr("rope.scaling.type", "none");
    if (type == "linear")
        rope.frequencyScale = 1.0 / metadata.positive("rope.scaling.factor");
    else if (type != "none")
        metadata.refuse("rope.scaling.type", "\"" + type + "\" is not supported");
}

Result<std::vector<float>> readRopeFactors(const GgufFile& file, std::int32_t ropeDims)
{
    const GgufTensor* tensor = file.tensor("rope_freqs.weight");
    if (!tensor)
        return std::vector<float>{};
    const auto count = static_cast<std::size_t>(ropeDims / 2);
    if (!tensor->type || tensor->type->type != kernels::TensorType::F32 || tensor->elements() != count)
        return fail("rope_freqs.weight: expected " + std::to_string(count) + " numbers of type F32", file.path());
    std::vector<float> factors(count);
    for (std::size_t i = 0; i < count; ++i) {
        factors[i] = loadUnaligned<float>(tensor->data.data() + i * sizeof(float));
        if (!std::isfinite(factors[i]) || factors[i] <= 0)
            return fail("rope_freqs.weight: element " + std::to_string(i) + " is not a number above 0", file.path());
    }
    return factors;
}

Result<std::int32_t> readVocabularySize(const GgufFile& file)
{
    const Result<const GgufTensor*> embedding = file.requireTensor("token_embd.weight");
    if (!embedding)
        return tl::unexpected(embedding.error());
    const std::uint64_t size = (*embedding)->dims[1];
    if (size < 1 || size > kMostVocabulary)
        return fail("token_embd.weight: a vocabulary of " + std::to_string(size) + " tokens", file.path());
    return static_cast<std::int32_t>(size);
}

} // namespace

Result<ModelSpec> readTransformerSpec(const GgufFile& file, const std::string& architecture)
{
    MetadataReader metadata(file, architecture + ".");
    ModelSpec spec;
    spec.architecture = architecture;
    spec.name = std::string(file.find<std::string_view>("general.name").value_or(""));
    spec.contextLength = metadata.count("context_length", kMostContext);
    spec.embeddingLength = metadata.count("embedding_length", kMostWidth);
    spec.layerCount = metadata.count("block_count", kMostLayers);
    spec.feedForwardLength = metadata.count("feed_forward_length", kMostWidth);
    spec.headCount = metadata.count("attention.head_count", kMostHeads);
    spec.kvHeadCount = metadata.countOr("attention.head_count_kv", kMostHeads, spec.headCount);
    spec.headDim = metadata.countOr("attention.key_length", kMostWidth, spec.embeddingLength / spec.headCount);
    const std::int32_t valueDim = metadata.countOr("attention.value_length", kMostWidth, spec.headDim);
    spec.rmsEpsilon = static_cast<float>(metadata.positive("attention.layer_norm_rms_epsilon"));
    spec.rope.dims = metadata.countOr("rope.dimension_count", kMostWidth, spec.headDim);
    spec.rope.base = metadata.positiveOr("rope.freq_base", 10000.0);
    readScaling(metadata, spec.rope);

    if (spec.headCount % spec.kvHeadCount != 0)
        metadata.refuse("attention.head_count_kv", "does not divide attention.head_count");
    if (spec.headDim % kHeadDimStep != 0 || spec.headDim < kHeadDimStep || spec.headDim > kMostHeadDim)
        metadata.refuse("attention.key_length", "heads of " + std::to_string(spec.headDim) + " elements");
    if (valueDim != spec.headDim)
        metadata.refuse("attention.value_length", "differs from the keys' length");
    if (spec.rope.dims % 2 != 0 || spec.rope.dims > spec.headDim)
        metadata.refuse("rope.dimension_count", "must be even and at most the head's length");
    if (metadata.error())
        return tl::unexpected(*metadata.error());

    spec.attentionScale = 1.0f / std::sqrt(static_cast<float>(spec.headDim));
    const Result<std::int32_t> vocabSize = readVocabularySize(file);
    if (!vocabSize)
        return tl::unexpected(vocabSize.error());
    spec.vocabSize = *vocabSize;
    Result<std::vector<float>> factors = readRopeFactors(file, spec.rope.dims);
    if (!factors)
        return tl::unexpected(factors.error());
    spec.rope.factors = std::move(*factors);
    return spec;
}

} // namespace vitrine
