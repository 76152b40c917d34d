// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {
namespace {

/// A llama whose embeddings, branches and logits have multipliers.
ModelSpec readScaledLlama(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    spec.embeddingScale = static_cast<float>(metadata.positiveOr("embedding_scale", 1.0));
    spec.residualScale = static_cast<float>(metadata.positiveOr("residual_scale", 1.0));
    spec.logitScale = static_cast<float>(1 / metadata.positiveOr("logit_scale", 1.0)); // the key is a divisor
    return spec;
}

} // namespace

ModelSpec readMiniCpm(MetadataReader& metadata)
{
    for (const char* key : {"embedding_scale", "residual_scale", "logit_scale"})
        (void)metadata.positive(
            key); // the first files leave them out, and mean numbers that none of them has
    return readScaledLlama(metadata);
}

ModelSpec readGranite(MetadataReader& metadata)
{
    ModelSpec spec = readScaledLlama(metadata);
    const bool isRotated = metadata.flagOr("rope.scaling.finetuned", true); // what the key means here
    if (!isRotated)
        for (LayerSpec& layer : spec.layers)
            layer.ropeTable = kNoRope;
    return spec;
}

ModelSpec readGraniteMoe(MetadataReader& metadata)
{
    ModelSpec spec = readGranite(metadata);
    readExperts(metadata, spec, "feed_forward_length");
    return spec;
}

} // namespace vitrine
