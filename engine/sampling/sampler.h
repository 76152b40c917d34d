// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/ids.h"
#include "engine/request.h"
#include "engine/sampling/random.h"

#include <optional>
#include <span>
#include <vector>

namespace vitrine {

/// An Error that names the option which is out of its range: temperature at least 0, top_k at least 0, top_p
/// above 0 and at most 1, min_p from 0 to 1, repetition_penalty above 0.
[[nodiscard]] Result<void> checkSampling(const SamplingOptions& options);

/// Chooses the next token of one sequence. Order, as in other serving engines: repetition penalty,
/// temperature, min-p, top-k, top-p; then a draw from what is left. The same seed and logits give the same
/// tokens on every machine. Time: O(vocabulary); nothing is sorted.
class Sampler {
public:
    /// Precondition: checkSampling(options).
    explicit Sampler(const SamplingOptions& options);

    /// A token of the prompt or of the answer: the repetition penalty counts it from now on.
    void accept(TokenId token);
    void accept(std::span<const TokenId> tokens);

    /// The chosen token; the caller still has to accept() it. Changes `logits`. Of equal logits the lowest
    /// token wins. A logit that is not finite is never chosen; where none is finite, nothing is.
    /// Precondition: logits is not empty.
    [[nodiscard]] std::optional<TokenId> sample(std::span<float> logits);

    /// How many of the greatest logits are enough to choose, as a rule; 0: it takes all of them.
    [[nodiscard]] std::int32_t logitsNeeded() const;
    /// Whether the greatest finite logits alone are enough, at least logitsNeeded() of them: the greatest
    /// first, the lower token first among equals; token -1 where there are no more.
    [[nodiscard]] bool isEnough(std::span<const float> logits, std::span<const TokenId> tokens) const;
    /// What sample() would choose. Precondition: isEnough().
    [[nodiscard]] std::optional<TokenId> sampleGreatest(std::span<const float> logits,
                                                        std::span<const TokenId> tokens);

private:
    struct Candidate {
        float logit;
        TokenId token;
        double weight = 0; ///< its probability, relative to the most likely token's
    };
    /// Of equally likely tokens the lower one goes first.
    static bool moreLikely(const Candidate& a, const Candidate& b)
    {
        return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
    }

    static double totalWeight(std::span<const Candidate> candidates);

    [[nodiscard]] float leastLikelyLogit(float greatest) const;
    void penalizeRepetition(std::span<float> logits) const;
    void collectCandidates(std::span<const float> logits, float greatest);
    [[nodiscard]] float leastOfTopK(const Candidate& next);
    void keepTopK();
    void weighCandidates(float greatest);
    void keepTopP();
    [[nodiscard]] Candidate leastLikelyWithin(double weight);
    void dropLessLikelyThan(const Candidate& least);
    [[nodiscard]] TokenId draw();

    SamplingOptions m_options;
    Random m_random;
    std::vector<bool> m_seen;            ///< by token id; grows with the ids
    std::vector<TokenId> m_seenTokens;   ///< each once
    std::vector<Candidate> m_candidates; ///< by token; kept to reuse its memory, as is m_scratch
    std::vector<Candidate> m_scratch;
};

} // namespace vitrine
