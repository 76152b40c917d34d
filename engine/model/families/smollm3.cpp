// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readSmolLm3(MetadataReader& metadata)
{
    constexpr std::size_t kPeriod = 4; // no key says so
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    for (std::size_t layer = kPeriod - 1; layer < spec.layers.size(); layer += kPeriod)
        spec.layers[layer].ropeTable = kNoRope;
    return spec;
}

} // namespace vitrine
