// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/active_request.h"

#include <utility>

namespace vitrine {

ActiveRequest::ActiveRequest(RequestId id, const Request& request, std::span<const TokenId> promptIds,
                             const Vocabulary& vocabulary, std::optional<ReasoningSplitter> splitter)
    : m_id(id)
    , m_ignoreEos(request.ignoreEos)
    , m_vocabulary(&vocabulary)
    , m_sampler(request.sampling)
    , m_detokenizer(vocabulary, promptIds.back())
    , m_stops(request.stop)
    , m_splitter(std::move(splitter))
{
    m_sampler.accept(promptIds);
}

ActiveRequest::Step ActiveRequest::next(std::span<float> logits)
{
    return proceed(m_sampler.sample(logits));
}

ActiveRequest::Step ActiveRequest::next(std::span<const float> greatest, std::span<const TokenId> tokens)
{
    return proceed(m_sampler.sampleGreatest(greatest, tokens));
}

ActiveRequest::Step ActiveRequest::proceed(std::optional<TokenId> token)
{
    Step step{token, {}, {}, {}};
    if (!step.token) {
        step.end = EndReason::Error;
        return step;
    }
    m_sampler.accept(*step.token);
    auto [reasoning, answer] = split(m_stops.append(m_detokenizer.append(*step.token)));
    step.text = std::move(answer);
    step.reasoning = std::move(reasoning);
    const bool endToken = !m_ignoreEos && m_vocabulary->isEnd(*step.token);
    const bool endMarker = !m_ignoreEos && m_splitter && m_splitter->isClosed();
    if (endToken || endMarker || m_stops.stopped())
        step.end = EndReason::Stop;
    return step;
}

ReasoningSplitter::Parts ActiveRequest::split(std::string text)
{
    return m_splitter ? m_splitter->append(text) : ReasoningSplitter::Parts{{}, std::move(text)};
}

ReasoningSplitter::Parts ActiveRequest::finish()
{
    ReasoningSplitter::Parts parts = split(m_stops.finish());
    if (m_splitter) {
        const auto [reasoning, answer] = m_splitter->finish();
        parts.reasoning += reasoning;
        parts.answer += answer;
    }
    return parts;
}

} // namespace vitrine
