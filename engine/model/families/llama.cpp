// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

namespace vitrine {

ModelSpec readLlama(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    readWindows(metadata, spec, 0, 0); // Mistral's first model
    // Some models have biases; the files of those that have none do not say so.
    spec.qkvBias = hasQkvBias(metadata);
    spec.outputBias = metadata.file().tensor("blk.0.attn_output.bias") != nullptr;
    readExperts(metadata, spec, "feed_forward_length"); // Mixtral
    return spec;
}

ModelSpec readInternLm2(MetadataReader& metadata)
{
    return readTransformer(metadata, RopeKind::Interleaved);
}

ModelSpec readErnie45(MetadataReader& metadata)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::Interleaved);
    spec.qkvBias = hasQkvBias(metadata);
    return spec;
}

} // namespace vitrine
