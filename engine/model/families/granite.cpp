// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readGranite(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    spec.embeddingScale = static_cast<float>(metadata.positiveOr("embedding_scale", 1.0));
    spec.residualScale = static_cast<float>(metadata.positiveOr("residual_scale", 1.0));
    if (metadata.has("attention.scale"))
        spec.attentionScale = static_cast<float>(metadata.positive("attention.scale"));
    spec.logitScale = static_cast<float>(1 / metadata.positiveOr("logit_scale", 1.0)); // the key is a divisor
    return spec;
}

} // namespace vitrine
