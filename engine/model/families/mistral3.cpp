// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

#include <algorithm>
#include <cmath>

namespace vitrine {
namespace {

/// What YaRN's magnitude is divided by: a configuration's mscale_all_dim is a multiplier of the logarithm,
/// and 1 leaves nothing of the magnitude.
float magnitudeTakenBack(MetadataReader& metadata)
{
    const double multiplier = metadata.positiveOrZero("rope.scaling.yarn_log_multiplier", 0);
    if (metadata.textOr("rope.scaling.type", {}) != "yarn")
        return 1;
    return static_cast<float>(1 + 0.1 * multiplier * std::log(metadata.positive("rope.scaling.factor")));
}

} // namespace

ModelSpec readMistral3(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    for (RopeTable& table : spec.rope.tables)
        table.magnitude /= magnitudeTakenBack(metadata);
    // From the end of the first context on scores would be scaled by the position, which nothing here does:
    // the context ends there.
    if (metadata.positiveOrZero("attention.temperature_scale", 0) > 0)
        spec.contextLength = std::min(spec.contextLength, spec.rope.originalContext);
    return spec;
}

} // namespace vitrine
