// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_work.h"

#include "engine/gguf/gguf_file.h"

namespace vitrine {

Result<ModelWork> workOf(const std::string& modelPath)
{
    const Result<GgufFile> file = GgufFile::open(modelPath);
    if (!file)
        return tl::unexpected(file.error());
    ModelWork work;
    const bool isTied = !file->tensor("output.weight");
    for (const GgufTensor& tensor : file->tensors()) {
        const bool isLayers = tensor.name.starts_with("blk.") && tensor.rank > 1;
        const bool isOutput = tensor.name == (isTied ? "token_embd.weight" : "output.weight");
        if (isLayers)
            work.dotsPerToken += static_cast<double>(tensor.elements());
        if (isLayers || isOutput)
            work.bytesPerStep += static_cast<double>(tensor.data.size());
    }
    return work;
}

} // namespace vitrine
