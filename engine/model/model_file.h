// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/model_spec.h"
#include "engine/model/model_weights.h"
#include "engine/text/tokenizer.h"

#include <memory>
#include <string>

namespace vitrine {

/// A GGUF file that holds a model known here. It is mapped as long as this lives, and only then: what a model
/// keeps of it (weights, vocabulary, template) is copied.
struct ModelFile {
    GgufFile gguf;
    ModelSpec spec;
    ModelWeights weights; ///< views into gguf

    [[nodiscard]] static Result<ModelFile> open(const std::string& path);
    /// Refuses an architecture that is not known, and metadata and tensors that do not fit together.
    [[nodiscard]] static Result<ModelFile> read(GgufFile gguf);

    /// Refuses, beside what Tokenizer::fromGguf() does, a vocabulary that the embedding has no rows for.
    [[nodiscard]] Result<std::unique_ptr<Tokenizer>> readTokenizer() const;
};

} // namespace vitrine
