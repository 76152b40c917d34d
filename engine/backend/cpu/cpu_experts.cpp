// SPDX-License-Identifier: GPL-3.0-or-later
// The experts of a mixture: rows are gathered by the expert that they ask, so that its weights are read once.
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/index.h"
#include "kernels/ops.h"

#include <algorithm>

namespace vitrine {

void CpuBackend::mixExperts(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    RowBuffer& logits = m_activations.routerLogits;
    multiply({{weights.router, logits}}, m_activations.hidden, m_rows, Into::Overwrite);
    m_routing.choose({logits.data(), m_rows * logits.width()}, m_spec.experts);
    std::fill_n(m_activations.expertSum.data(), m_rows * m_activations.expertSum.width(), 0.0F);
    for (std::size_t expert = 0; expert < weights.feedForwards.size(); ++expert)
        askExpert(weights.feedForwards[expert], m_routing.visitsOf(expert));
    addToResidual(m_activations.expertSum, {}, weights.postFeedForwardNorm);
}

/// Experts come in order, so that a token's sum has the same bits in any company.
void CpuBackend::askExpert(const CpuFeedForward& expert, std::span<const ExpertRouting::Visit> visits)
{
    if (visits.empty())
        return;
    CpuActivations& on = m_activations;
    on.expertInput.setRows(visits.size());
    on.gate.setRows(visits.size());
    const bool quantize = anyQuantized({&expert.gate, &expert.up});
    forEachRowRange(visits.size(), [&](kernels::RowRange rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i)
            std::ranges::copy(on.hidden.row(visits[i].row), on.expertInput.row(i).begin());
        if (quantize)
            on.expertInput.quantize(rows);
    });
    multiply({{expert.gate, on.gate}, {expert.up, on.up}}, on.expertInput, visits.size(), Into::Overwrite);
    activate(visits.size(), anyQuantized({&expert.down}));
    multiply({{expert.down, on.expertOutput}}, on.gate, visits.size(), Into::Overwrite);
    forEachRowRange(visits.size(), [&](kernels::RowRange rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            kernels::scale(visits[i].weight, on.expertOutput.row(i));
            kernels::add(on.expertOutput.row(i), on.expertSum.row(visits[i].row));
        }
    });
}

} // namespace vitrine
