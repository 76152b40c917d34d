// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/card.h"
#include "engine/engine_options.h"
#include "engine/error.h"
#include "engine/model/model.h"
#include "engine/report.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <functional>
#include <memory>
#include <string>

namespace vitrine {

/// A model file made ready: text to tokens, tokens to logits, and a KV cache. The file itself is not needed
/// any more.
struct LoadedModel {
    std::unique_ptr<Tokenizer> tokenizer;
    std::unique_ptr<ChatTemplate> chatTemplate;
    std::string endOfTurnText; ///< ends an answer in a chat, see endOfTurn(); may be empty
    std::unique_ptr<Model> model;
    SchedulerOptions scheduler; ///< as asked for, with num_blocks and max_model_len filled in
    ModelInfo info;

    /// What `scheduler` would become under other options, as far as can be known while the pool is still
    /// there: the memory that it takes counts as available.
    [[nodiscard]] Result<SchedulerOptions> fitPool(const EngineOptions& wanted) const;
    /// Gives the pool's memory back, then takes what `wanted` asks for: never are there two. After an error
    /// there is none, and nothing may be computed until another call succeeds.
    [[nodiscard]] Result<void> replacePool(const EngineOptions& wanted);
    /// Weights, pool and text stay.
    void setThreads(int threads);
    /// The graphics card has failed: loads the file once more, for the processor, with the pool that
    /// `options` ask for there, or a default one where that is too large. The pool is empty. After an error
    /// there is no model.
    [[nodiscard]] Result<void> moveToCpu(const EngineOptions& options);
};

/// Told the share that is done (0 to 1) and what is being done; false cancels.
using LoadStepFn = std::function<bool(double fraction, LoadStage stage)>;

/// On a graphics card where `options` ask for it, or leave it open and there is one that can take the model.
[[nodiscard]] Result<LoadedModel> loadModel(const std::string& path, const EngineOptions& options,
                                            const LoadStepFn& progress,
                                            const OpenCardFn& openTheCard = openCard);

} // namespace vitrine
