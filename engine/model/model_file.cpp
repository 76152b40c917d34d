// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_file.h"

#include "engine/model/family.h"

namespace vitrine {

Result<ModelFile> ModelFile::open(const std::string& path)
{
    Result<GgufFile> gguf = GgufFile::open(path);
    if (!gguf)
        return tl::unexpected(gguf.error());
    Result<ModelSpec> spec = readModelSpec(*gguf);
    if (!spec)
        return tl::unexpected(spec.error());
    Result<ModelWeights> weights = findWeights(*gguf, *spec);
    if (!weights)
        return tl::unexpected(weights.error());
    return ModelFile{std::move(*gguf), std::move(*spec), std::move(*weights)};
}

} // namespace vitrine
