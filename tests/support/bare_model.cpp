// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/bare_model.h"

#include "engine/batch_builder.h"
#include "engine/model/layer_groups.h"
#include "engine/model/model_file.h"

#include <algorithm>
#include <cassert>

namespace vitrine::test {

Result<BareModel> BareModel::open(const std::string& path, const KvCacheShape& cache, int threads,
                                  const std::function<void(ModelSpec&)>& change)
{
    return open(path, cache, makeCpuBackend(threads), change);
}

Result<BareModel> BareModel::open(const std::string& path, const KvCacheShape& cache,
                                  std::unique_ptr<Backend> backend,
                                  const std::function<void(ModelSpec&)>& change)
{
    Result<ModelFile> file = ModelFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    if (change)
        change(file->spec);
    const auto goOn = [](double) { return true; };
    if (Result<void> done = backend->loadWeights(file->spec, file->weights, goOn, [](const Tensor&) {});
        !done)
        return tl::unexpected(done.error());
    if (Result<void> done = backend->allocateKvCache(cache); !done)
        return tl::unexpected(done.error());
    BareModel bare;
    bare.m_model = std::make_unique<Model>(file->spec, std::move(backend));
    SchedulerOptions options;
    options.blockSize = cache.blockSize;
    options.windows = groupLayers(file->spec).windows;
    options.kvCache = false; // all blocks stay
    bare.m_shape.emplace(options);
    bare.m_mostTokens = bare.m_shape->tokensWithin(cache.numBlocks - 1);
    return bare;
}

void BareModel::forward(std::span<const TokenId> tokens, std::int32_t begin, std::int32_t end, bool allLogits)
{
    assert(end <= m_mostTokens); // the pool holds no more
    m_batch.clear();
    appendToBatch(tokens, onlyTable(*m_shape, end, m_mostTokens), begin, end, *m_shape, m_batch);
    for (std::int32_t position = allLogits ? begin : end - 1; position < end; ++position)
        m_batch.logitRows.push_back(position - begin);
    m_model->forward(m_batch);
}

std::vector<float> BareModel::logits(std::span<const TokenId> tokens, std::int32_t chunk)
{
    const auto length = static_cast<std::int32_t>(tokens.size());
    std::vector<float> all;
    for (std::int32_t begin = 0; begin < length; begin += chunk) {
        const std::int32_t end = std::min(begin + chunk, length);
        forward(tokens, begin, end, true);
        const std::span<const float> part = m_model->logits(0, end - begin);
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

std::vector<TokenId> BareModel::greedy(std::vector<TokenId> tokens, std::size_t count)
{
    std::vector<TokenId> answer;
    std::int32_t computed = 0;
    while (answer.size() < count) {
        const auto length = static_cast<std::int32_t>(tokens.size());
        forward(tokens, computed, length, false);
        computed = length;
        const std::span<const float> last = m_model->logits(0, 1);
        answer.push_back(static_cast<TokenId>(std::ranges::max_element(last) - last.begin()));
        tokens.push_back(answer.back());
    }
    return answer;
}

} // namespace vitrine::test
