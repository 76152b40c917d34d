// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/cache/block_table.h"
#include "engine/ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine {

enum class SequenceStatus : std::uint8_t { Waiting, Running, Preempted, Finished };

/// What is submitted to the scheduler.
struct SequenceSpec {
    std::vector<TokenId> promptIds;
    std::int32_t maxTokens = 0; ///< tokens to generate at most; 0: as many as fit, nothing is reserved
    std::int32_t priority = 0;  ///< lower goes first, under SchedulingPolicy::Priority
    double arrivalSeconds = 0;
    /// Prefixes are shared only between equal salts. The engine's requests all have this one; others are a
    /// hook of the tests of the prefix cache.
    std::uint64_t cacheSalt = 0;
};

/// The facts about one row of the batch. No phases: numComputedTokens chases numTokens().
/// The scheduler alone changes it; everyone else sees it const.
struct Sequence {
    SequenceId id;
    SequenceStatus status = SequenceStatus::Waiting;
    std::vector<TokenId> tokens; ///< prompt, then the answer so far
    std::int32_t promptLength = 0;
    std::int32_t maxTokens = 0;      ///< as submitted
    std::int32_t maxTotalTokens = 0; ///< prompt + answer: where max_tokens, context and pool end it
    std::int32_t priority = 0;
    std::int32_t numComputedTokens = 0; ///< tokens whose K and V lie in the block table
    std::int32_t recomputeEnd = 0;      ///< tokens below were computed before a preemption threw them away
    BlockTable blockTable;
    /// Of n answers to one prompt: the one that computes it, until this one is admitted. 0: none.
    SequenceId leader;

    std::int32_t cachedTokens = 0;     ///< of the prompt, found in the prefix cache at the first admission
    std::int32_t lastCachedTokens = 0; ///< likewise at the newest admission
    std::int32_t preemptions = 0;
    std::uint64_t admissionStep = 0; ///< the step that took it into the batch, most recently
    double arrivalSeconds = 0;
    double firstPlannedSeconds = -1; ///< the first step that computed it; −1: none yet
    double firstTokenSeconds = -1;
    double lastTokenSeconds = -1;
    double endSeconds = -1;

    std::int32_t planIndex = -1; ///< its place in the current plan; −1: not in it
    bool cancelled = false;      ///< while its step was under way; ends at commit

    [[nodiscard]] std::int32_t numTokens() const { return static_cast<std::int32_t>(tokens.size()); }
    [[nodiscard]] std::int32_t numOutputTokens() const { return numTokens() - promptLength; }
    [[nodiscard]] std::int32_t remainingTokens() const { return numTokens() - numComputedTokens; }
    [[nodiscard]] std::span<const TokenId> promptIds() const
    {
        return std::span(tokens).first(std::size_t(promptLength));
    }
    [[nodiscard]] std::span<const TokenId> outputIds() const
    {
        return std::span(tokens).subspan(std::size_t(promptLength));
    }
};

} // namespace vitrine
