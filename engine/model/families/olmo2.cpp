// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readOlmo2(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.norms = NormPlacement::After;
    spec.qkNorm = QkNorm::WholeRow;
    return spec;
}

} // namespace vitrine
