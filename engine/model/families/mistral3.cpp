// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

#include <algorithm>

namespace vitrine {

ModelSpec readMistral3(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    // Its YaRN scales frequencies alone: the two magnitudes of its configuration are the same number.
    (void)metadata.has("rope.scaling.yarn_log_multiplier");
    for (RopeTable& table : spec.rope.tables)
        table.magnitude = 1;
    // From the end of the first context on scores would be scaled by the position, which nothing here does:
    // the context ends there.
    if (metadata.positiveOrZero("attention.temperature_scale", 0) > 0)
        spec.contextLength = std::min(spec.contextLength, spec.rope.originalContext);
    return spec;
}

} // namespace vitrine
