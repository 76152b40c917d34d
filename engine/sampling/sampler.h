// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/request.h"
#include "engine/sampling/random.h"

#include <span>
#include <vector>

namespace vitrine {

/// Chooses the next token of one sequence. Order, as in other serving engines: repetition penalty,
/// temperature, min-p, top-k, top-p; then a draw from what is left. The same seed and logits give the same
/// tokens on every machine. Time: O(vocabulary) for the scan, O(k log k) for the k tokens that are looked at
/// closely; no full sort.
class Sampler {
public:
    explicit Sampler(const SamplingOptions& options);

    /// A token of the prompt or of the answer: the repetition penalty counts it from now on.
    void accept(TokenId token);
    void accept(std::span<const TokenId> tokens);

    /// The chosen token; the caller still has to accept() it. Changes `logits`. Logits that are not numbers
    /// count as −∞; where none is finite, token 0 comes out. Precondition: logits is not empty.
    [[nodiscard]] TokenId sample(std::span<float> logits);

private:
    struct Candidate {
        float logit;
        TokenId token;
    };

    void penalizeRepetition(std::span<float> logits) const;
    void collectCandidates(std::span<const float> logits);
    void keepTopK();
    void keepTopP();
    [[nodiscard]] TokenId draw();

    SamplingOptions m_options;
    Random m_random;
    std::vector<bool> m_seen;            ///< by token id; grows with the ids
    std::vector<TokenId> m_seenTokens;   ///< each once
    std::vector<Candidate> m_candidates; ///< kept to reuse its memory
};

} // namespace vitrine
