// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/families.h"

namespace vitrine {

Result<ModelSpec> readLlamaSpec(const GgufFile& file)
{
    Result<ModelSpec> spec = readTransformerSpec(file, "llama");
    if (spec)
        spec->rope.kind = RopeKind::Interleaved;
    return spec;
}

} // namespace vitrine
