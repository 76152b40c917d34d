// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/model/model_spec.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vitrine {

/// Which tokens of a pass go to which expert, and what the expert's answer weighs.
class ExpertRouting {
public:
    struct Visit {
        std::size_t row;
        float weight;
    };

    /// `logits` (rows, experts) of the router. The experts of a row are those of the greatest logits, the
    /// first among equals; their weights are the softmax over all, divided by their sum where the spec says
    /// so.
    void choose(std::span<const float> logits, const ExpertSpec& spec);

    /// Ascending rows.
    [[nodiscard]] std::span<const Visit> visitsOf(std::size_t expert) const { return m_visits[expert]; }

private:
    void chooseFor(std::size_t row, std::span<const float> logits, const ExpertSpec& spec);

    std::vector<std::vector<Visit>> m_visits; ///< of each expert
    std::vector<std::size_t> m_chosen;        ///< experts of the row under way, best first
};

} // namespace vitrine
