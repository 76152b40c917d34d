// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readQwen2(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.qkvBias = true;
    return spec;
}

ModelSpec readQwen3(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.qkNorm = QkNorm::EachHead;
    return spec;
}

ModelSpec readQwen3Moe(MetadataReader& metadata)
{
    ModelSpec spec = readQwen3(metadata);
    readExperts(metadata, spec, "expert_feed_forward_length");
    return spec;
}

} // namespace vitrine
