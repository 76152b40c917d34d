// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/backend.h"

#include "engine/model/layer_groups.h"

namespace vitrine {

std::int64_t kvBlockBytes(const ModelSpec& spec, const KvCacheShape& shape)
{
    const std::int64_t elementBytes = shape.dtype == KvCacheDtype::F16 ? 2 : 4;
    return std::int64_t{2} * groupLayers(spec).layersEach * spec.kvLength() * shape.blockSize * elementBytes;
}

const Error& loadCancelled()
{
    static const Error error{"the load was cancelled", {}, {}};
    return error;
}

} // namespace vitrine
