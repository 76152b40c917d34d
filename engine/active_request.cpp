// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/active_request.h"

namespace vitrine {

ActiveRequest::ActiveRequest(RequestId id, const Request& request, std::span<const TokenId> promptIds,
                             const Vocabulary& vocabulary)
    : m_id(id)
    , m_ignoreEos(request.ignoreEos)
    , m_vocabulary(&vocabulary)
    , m_sampler(request.sampling)
    , m_detokenizer(vocabulary, promptIds.back())
    , m_stops(request.stop)
{
    m_sampler.accept(promptIds);
}

ActiveRequest::Step ActiveRequest::next(std::span<float> logits)
{
    Step step{m_sampler.sample(logits), {}, {}};
    if (!step.token) {
        step.end = EndReason::Error;
        return step;
    }
    m_sampler.accept(*step.token);
    step.text = m_stops.append(m_detokenizer.append(*step.token));
    const bool endToken = !m_ignoreEos && m_vocabulary->isEnd(*step.token);
    if (endToken || m_stops.stopped())
        step.end = EndReason::Stop;
    return step;
}

} // namespace vitrine
