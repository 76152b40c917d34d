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

/// The positions of text are the same in each of the sections that images tell apart.
ModelSpec readQwen2Vl(MetadataReader& metadata)
{
    (void)metadata.has("rope.dimension_sections");
    return readQwen2(metadata);
}

ModelSpec readQwen3Vl(MetadataReader& metadata)
{
    (void)metadata.has("rope.dimension_sections");
    return readQwen3(metadata);
}

ModelSpec readQwen3VlMoe(MetadataReader& metadata)
{
    (void)metadata.has("rope.dimension_sections");
    return readQwen3Moe(metadata);
}

} // namespace vitrine
