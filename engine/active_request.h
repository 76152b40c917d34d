// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/request.h"
#include "engine/sampling/sampler.h"
#include "engine/text/detokenizer.h"
#include "engine/text/reasoning.h"
#include "engine/text/stop_matcher.h"
#include "engine/text/vocabulary.h"
#include "engine/trace/step_record.h"

#include <optional>
#include <span>
#include <string>

namespace vitrine {

/// What a running request needs on the way from logits to text.
class ActiveRequest {
public:
    /// `vocabulary` must outlive it. `splitter`: of an answer whose reasoning is told apart. Precondition:
    /// promptIds is not empty.
    ActiveRequest(RequestId id, const Request& request, std::span<const TokenId> promptIds,
                  const Vocabulary& vocabulary, std::optional<ReasoningSplitter> splitter = {});

    [[nodiscard]] RequestId id() const { return m_id; }

    struct Step {
        std::optional<TokenId> token; ///< none where no logit is a number: the model has broken down
        std::string text;             ///< of the answer, what can be shown now; whole UTF-8
        std::string reasoning;        ///< likewise
        std::optional<EndReason> end; ///< an end token or a stop string; Error without a token
    };
    /// Chooses the next token; changes `logits`.
    [[nodiscard]] Step next(std::span<float> logits);
    /// See Sampler::logitsNeeded(), isEnough() and sampleGreatest().
    [[nodiscard]] std::int32_t logitsNeeded() const { return m_sampler.logitsNeeded(); }
    [[nodiscard]] bool isEnough(std::span<const float> greatest, std::span<const TokenId> tokens) const
    {
        return m_sampler.isEnough(greatest, tokens);
    }
    [[nodiscard]] Step next(std::span<const float> greatest, std::span<const TokenId> tokens);

    /// Text held back as the possible beginning of a stop string or a marker, where the answer ends
    /// otherwise.
    [[nodiscard]] ReasoningSplitter::Parts finish();

private:
    [[nodiscard]] Step proceed(std::optional<TokenId> token);
    [[nodiscard]] ReasoningSplitter::Parts split(std::string text);

    RequestId m_id;
    bool m_ignoreEos;
    const Vocabulary* m_vocabulary;
    Sampler m_sampler;
    Detokenizer m_detokenizer;
    StopMatcher m_stops;
    std::optional<ReasoningSplitter> m_splitter;
};

} // namespace vitrine
