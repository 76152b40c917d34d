// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readGranite(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    spec.embeddingScale = static_cast<float>(metadata.positiveOr("embedding_scale", 1.0));
    spec.residualScale = static_cast<float>(metadata.positiveOr("residual_scale", 1.0));
    spec.logitScale = static_cast<float>(1 / metadata.positiveOr("logit_scale", 1.0)); // the key is a divisor
    if (!metadata.flagOr("rope.scaling.finetuned",
                         true)) // in this family it says whether positions are rotated
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
