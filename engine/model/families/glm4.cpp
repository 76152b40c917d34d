// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readGlm4(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    spec.norms = NormPlacement::Both;
    spec.fusedGateUp = true;
    spec.qkvBias = hasQkvBias(metadata); // 9B has, 32B has not
    return spec;
}

} // namespace vitrine
