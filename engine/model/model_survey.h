// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine_options.h"
#include "engine/error.h"
#include "engine/gguf/gguf_file.h"
#include "engine/memory_room.h"
#include "engine/model/model_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace vitrine {

/// More than any model has; a hostile file may have thousands.
inline constexpr std::size_t kShownTypes = 8;

struct TensorTypeShare {
    std::string type; ///< "Q4_1", or "type 77"
    std::int64_t tensors = 0;
    std::uint64_t bytes = 0; ///< 0 where the type is not known
};

/// What a model file says of itself before any weight is read.
struct ModelSurvey {
    std::string path;
    std::string name; ///< general.name, or the file's name; this and all other text is short and printable
    std::string architecture;
    std::uint32_t ggufVersion = 0;
    std::uint64_t fileBytes = 0;
    std::uint64_t weightBytes = 0; ///< of all tensors
    std::uint64_t parameterCount = 0;
    std::vector<TensorTypeShare> tensorTypes; ///< by share of bytes
    std::string tokenizer;                    ///< "gpt2, smollm"
    std::string chatTemplate;                 ///< name of the template that will be used
    std::vector<std::string> warnings;        ///< what works, but perhaps not as the model's makers meant it
    std::optional<ModelSpec> spec;            ///< absent: the model cannot be loaded
    std::optional<Error> refusal;             ///< why not
    bool isForeign = false; ///< refused since its architecture is not known here: the file may be sound

    /// "Q4_1, Q8_0, F32"; the first kShownTypes.
    [[nodiscard]] std::string tensorTypeNames() const;
};

/// Memory that a model will take, in bytes, with the pool that the options ask for.
struct MemoryEstimate {
    std::int64_t weights = 0;
    std::int64_t kvCache = 0;
    std::int64_t activations = 0; ///< of the largest step
    MemoryRoom room;              ///< what there is now
    SchedulerOptions scheduler;   ///< with num_blocks and max_model_len filled in

    [[nodiscard]] std::int64_t total() const { return weights + kvCache + activations; }
};

/// What the file says without being understood: everything up to `tokenizer`.
[[nodiscard]] ModelSurvey surveyFile(const GgufFile& file);
/// All of it. A model of a kind that is not known here is described as far as possible, with its refusal.
[[nodiscard]] ModelSurvey surveyModel(GgufFile file);

/// Memory that the weights of `file`, read as `spec`, take with the pool that `options` ask for. Refuses,
/// with numbers, what does not fit into the machine's memory, as loading does. Repacked, weights are about as
/// large as in the file.
[[nodiscard]] Result<MemoryEstimate> estimateMemory(const ModelSpec& spec, const ModelSurvey& file,
                                                    const EngineOptions& options, MemoryRoom room);

} // namespace vitrine
