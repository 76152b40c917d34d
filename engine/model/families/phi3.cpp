// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readPhi3(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.fusedQkv = true;
    spec.fusedGateUp = true;
    readWindows(metadata, spec, 0, 0);
    return spec;
}

} // namespace vitrine
