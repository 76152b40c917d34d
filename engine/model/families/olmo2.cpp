// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readOlmo2(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.norms = NormPlacement::After;
    spec.qkNorm = QkNorm::WholeRow;
    readWindows(metadata, spec, 0, 4); // OLMo 3
    // Its layers in the window never saw more than the first context: they are not scaled.
    useTableInWindows(spec, plainRopeTable(readRopeBase(metadata, "rope.freq_base", 10000), spec.rope.dims));
    return spec;
}

} // namespace vitrine
