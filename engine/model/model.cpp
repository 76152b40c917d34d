// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model.h"

namespace vitrine {

Model::Model(ModelSpec spec, std::unique_ptr<Backend> backend)
    : m_spec(std::move(spec))
    , m_backend(std::move(backend))
{
}

void Model::forward(const Batch& batch)
{
    if (!m_backend->begin(batch))
        return;
    do
        computeLayers();
    while (!m_backend->end());
}

void Model::computeLayers()
{
    Backend& on = *m_backend;
    on.embed();
    for (int layer = 0; layer < m_spec.layerCount; ++layer) {
        on.normAttention(layer);
        on.projectQkv(layer);
        on.attend(layer);
        on.projectAttentionOutput(layer);

        on.normFeedForward(layer);
        if (m_spec.hasExperts()) {
            on.mixExperts(layer);
        } else {
            on.gatedFeedForward(layer);
            on.projectDown(layer);
        }
    }
}

std::span<float> Model::logits(std::int32_t first, std::int32_t count)
{
    return m_backend->logits(first, count);
}

std::optional<TopLogits> Model::topLogits(std::int32_t first, std::int32_t count, std::int32_t k)
{
    return m_backend->topLogits(first, count, k);
}

} // namespace vitrine
