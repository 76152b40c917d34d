// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readExaone(MetadataReader& metadata)
{
    return readTransformer(metadata, RopeKind::HalfSplit);
}

ModelSpec readExaone4(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.norms = NormPlacement::After;
    spec.qkNorm = QkNorm::EachHead;
    readWindows(metadata, spec, 0, 4);
    if (spec.rope.tables.size() == 1 && hasWindows(spec)) // then those that see everything know no positions
        for (LayerSpec& layer : spec.layers)
            layer.ropeTable = layer.window > 0 ? 0 : kNoRope;
    return spec;
}

} // namespace vitrine
