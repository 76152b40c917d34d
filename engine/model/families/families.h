// SPDX-License-Identifier: GPL-3.0-or-later
// One function a family: metadata of a GGUF file to a ModelSpec. Adding a family is one file and one line in family.cpp.
#pragma once
#include "engine/error.h"
#include "engine/model/model_spec.h"

namespace vitrine {

class GgufFile;

/// What most families share: sizes, heads, norm, rope.
[[nodiscard]] Result<ModelSpec> readTransformerSpec(const GgufFile& file, const std::string& architecture);

/// Llama 1 to 3, and the models built like it (SmolLM2, Mistral): rotary positions in adjacent pairs, grouped-query
/// attention, SwiGLU.
[[nodiscard]] Result<ModelSpec> readLlamaSpec(const GgufFile& file);

} // namespace vitrine
