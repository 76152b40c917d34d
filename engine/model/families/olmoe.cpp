// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readOlmoe(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.qkNorm = QkNorm::WholeRow;
    spec.experts.normalizeWeights = false;
    readExperts(metadata, spec, "feed_forward_length");
    return spec;
}

} // namespace vitrine
