// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/model_spec.h"
#include "engine/model/model_weights.h"

#include <string>

namespace vitrine {

/// A GGUF file that holds a model known here. It is mapped as long as this lives, and only then: what a model
/// keeps of it (weights, vocabulary, template) is copied.
struct ModelFile {
    GgufFile gguf;
    ModelSpec spec;
    ModelWeights weights; ///< views into gguf

    [[nodiscard]] static Result<ModelFile> open(const std::string& path);
};

} // namespace vitrine
