// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells its owner, in order and without loss. Step records travel beside it
// (trace/step_record.h).
#pragma once
#include "engine/backend_note.h"
#include "engine/end_reason.h"
#include "engine/engine_options.h"
#include "engine/error.h"
#include "engine/ids.h"
#include "engine/request.h"
#include "engine/text/prompt_text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vitrine {

/// What is known about the loaded model; the window's status bar and `inspect` read it.
struct ModelInfo {
    std::string path;
    std::string name; ///< general.name, or the file's name
    std::string architecture;
    std::string tensorTypes;  ///< "Q4_1, Q8_0, F32": by share of bytes
    std::string chatTemplate; ///< name of the template in use
    std::string backend;      ///< "CPU, AVX-512 VNNI"
    int threads = 0;
    std::uint64_t parameterCount = 0;
    std::uint64_t fileBytes = 0;
    std::uint64_t kvCacheBytes = 0;
    std::int64_t cardBytes = 0; ///< were free on the graphics card before the model came; 0: it is not there
    std::int32_t vocabSize = 0;
    std::int32_t contextLength = 0; ///< what a sequence may hold: max_model_len
    std::int32_t blockSize = 0;
    std::int32_t numBlocks = 0;   ///< with the null block
    std::int32_t tokenBudget = 0; ///< max_num_batched_tokens
    std::int32_t maxNumSeqs = 0;
    double loadSeconds = 0;
    std::vector<std::string> warnings;
    std::optional<BackendNote>
        backendNote; ///< why no graphics card computes; none: it does, or is not wanted
    std::optional<std::string> templateWarning; ///< why chats are not written as the model expects
};

/// What a block holds. It has no tokens where it is free and clean, or the pool has no such block.
struct BlockText {
    BlockId block;
    std::uint32_t generation = 0; ///< of the pool, as in its step records
    std::uint64_t step = 0;       ///< after which it holds this
    SequenceId sequence;          ///< one that holds it; 0: it is free, and kept for its prefix
    std::int32_t firstToken = 0;  ///< of the sequence; meaningless without one
    std::vector<TokenId> tokens;
    std::string text; ///< of the tokens, for people: shownTokens(), cut after a few thousand bytes
};

/// What loading a model is at; who shows it finds the words.
enum class LoadStage { ReadingFile, PreparingWeights };

namespace report {
struct LoadProgress {
    LoadId load;
    double fraction;
    LoadStage stage;
};
struct ModelLoaded {
    LoadId load;
    /// Never null. Apart, because each token's report has the size of the largest kind.
    std::shared_ptr<const ModelInfo> info;
};
/// The model before stays usable. Where it had to leave the graphics card it has been loaded once more, and
/// OptionsChanged came before; or ModelGone, where that failed.
struct LoadFailed {
    LoadId load;
    Error error;
    bool cancelled;
};
/// What the loaded model has become, and by which options: there may be newer ones under way. Also where the
/// graphics card has failed and the processor takes over, before and after the model is made ready for it.
struct OptionsChanged {
    std::shared_ptr<const ModelInfo> info; ///< never null
    EngineOptions options;
};
/// The options of before hold. Requests were aborted only where the new pool turned out not to fit into
/// memory after the old one was given up for it; the pool of before is then there again, empty. (Where even
/// that could not be had again, the model is gone too: requests are refused until one is loaded.)
struct OptionsRefused {
    Error error;
    EngineOptions options; ///< those refused
};
/// No memory for its pool, or it left the card for one that failed: requests are refused until one is loaded.
struct ModelGone {};
/// The request has become a sequence; from here on step records speak of `sequence`.
struct Accepted {
    RequestId request;
    SequenceId sequence;
    std::int32_t promptTokens;
    std::shared_ptr<const PromptText> prompt; ///< never null
};
/// Whole UTF-8 only; may be empty for a token that does not complete a character.
struct TextDelta {
    RequestId request;
    std::string text; ///< of the answer
    TokenId token;
    double seconds;
    std::string reasoning{}; ///< what a model that was asked in a chat thinks before it answers
};
/// The last report of a request; nothing follows it. `error` is set for EndReason::Error, and may explain
/// Length.
struct Finished {
    RequestId request;
    EndReason reason;
    std::optional<Error> error;
    RequestStats stats;
    bool refusedByTemplate = false; ///< ChatFormat::ChatMl would take the conversation
};
/// Never null.
struct BlockDescribed {
    std::shared_ptr<const BlockText> content;
};
} // namespace report

using Report = std::variant<report::LoadProgress, report::ModelLoaded, report::LoadFailed,
                            report::OptionsChanged, report::OptionsRefused, report::ModelGone,
                            report::Accepted, report::TextDelta, report::Finished, report::BlockDescribed>;

} // namespace vitrine
