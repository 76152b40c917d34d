// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/cache/table_shape.h"
#include "engine/error.h"
#include "engine/model/model.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vitrine::test {

/// A model without tokenizer and scheduler, and with one sequence.
class BareModel {
public:
    /// `change`: what the file's metadata do not say, such as a window.
    [[nodiscard]] static Result<BareModel> open(const std::string& path, const KvCacheShape& cache,
                                                int threads,
                                                const std::function<void(ModelSpec&)>& change = {});
    [[nodiscard]] static Result<BareModel> open(const std::string& path, const KvCacheShape& cache,
                                                std::unique_ptr<Backend> backend,
                                                const std::function<void(ModelSpec&)>& change = {});

    /// Logits (tokens, vocab), computed in chunks of `chunk` tokens.
    [[nodiscard]] std::vector<float> logits(std::span<const TokenId> tokens, std::int32_t chunk);
    /// `count` tokens, each the likeliest after those before it.
    [[nodiscard]] std::vector<TokenId> greedy(std::vector<TokenId> tokens, std::size_t count);
    [[nodiscard]] Model& model() { return *m_model; }

private:
    void forward(std::span<const TokenId> tokens, std::int32_t begin, std::int32_t end, bool allLogits);

    std::unique_ptr<Model> m_model;
    std::optional<TableShape> m_shape;
    std::int32_t m_mostTokens = 0;
    Batch m_batch;
};

} // namespace vitrine::test
