// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/model/model_spec.h"

#include <memory>
#include <span>

namespace vitrine {

/// A spec and a backend that holds its weights: what turns a batch into logits.
class Model {
public:
    Model(ModelSpec spec, std::unique_ptr<Backend> backend);

    [[nodiscard]] const ModelSpec& spec() const { return m_spec; }
    [[nodiscard]] Backend& backend() { return *m_backend; }

    /// Writes K and V of every row into its slot; afterwards logits() may be asked for the batch's logitRows.
    void forward(const Batch& batch);

    /// (count, vocab) for batch.logitRows[first .. first + count); valid until the next call.
    [[nodiscard]] std::span<float> logits(std::int32_t first, std::int32_t count);
    /// See Backend::topLogits().
    [[nodiscard]] std::optional<TopLogits> topLogits(std::int32_t first, std::int32_t count, std::int32_t k);

private:
    void computeLayers();

    ModelSpec m_spec;
    std::unique_ptr<Backend> m_backend;
};

} // namespace vitrine
