// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/batch.h"
#include "engine/model/loaded_model.h"

#include <functional>
#include <span>

namespace vitrine::cli {

/// Puts one sequence through the model without a scheduler, in blocks of its own choice: for commands that
/// want the logits themselves.
class SequenceRunner {
public:
    explicit SequenceRunner(LoadedModel& loaded);

    /// Logits (vocab) at a position; valid during the call.
    using OnLogits = std::function<void(std::int32_t position, std::span<const float> logits)>;

    /// Forgets the sequence before, computes `tokens` from position 0 in steps of the token budget, and hands
    /// over the logits of every position from `firstPosition` on. Errors: too long, an id outside the
    /// vocabulary.
    [[nodiscard]] Result<void> run(std::span<const TokenId> tokens, std::int32_t firstPosition,
                                   const OnLogits& onLogits);

private:
    void fillBatch(std::span<const TokenId> tokens, std::int32_t begin, std::int32_t end,
                   std::int32_t firstPosition);
    void handOver(const OnLogits& onLogits);

    LoadedModel& m_loaded;
    Batch m_batch;
};

} // namespace vitrine::cli
