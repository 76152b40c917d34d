// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/expert_routing.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

void ExpertRouting::choose(std::span<const float> logits, const ExpertSpec& spec)
{
    const auto count = static_cast<std::size_t>(spec.count);
    m_visits.resize(count);
    for (std::vector<Visit>& visits : m_visits)
        visits.clear();
    for (std::size_t row = 0; row * count < logits.size(); ++row)
        chooseFor(row, logits.subspan(row * count, count), spec);
}

void ExpertRouting::chooseFor(std::size_t row, std::span<const float> logits, const ExpertSpec& spec)
{
    m_chosen.clear();
    while (m_chosen.size() < static_cast<std::size_t>(spec.used)) {
        std::size_t best = logits.size();
        for (std::size_t expert = 0; expert < logits.size(); ++expert)
            if (std::ranges::find(m_chosen, expert) == m_chosen.end() &&
                (best == logits.size() || logits[expert] > logits[best]))
                best = expert;
        m_chosen.push_back(best);
    }
    const float greatest = logits[m_chosen.front()];
    float sum = 0;
    if (spec.normalizeWeights)
        for (const std::size_t expert : m_chosen)
            sum += std::exp(logits[expert] - greatest);
    else
        for (const float logit : logits)
            sum += std::exp(logit - greatest);
    for (const std::size_t expert : m_chosen)
        m_visits[expert].push_back({row, std::exp(logits[expert] - greatest) / sum});
}

} // namespace vitrine
