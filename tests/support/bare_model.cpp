// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/bare_model.h"

#include "engine/model/model_file.h"

#include <algorithm>

namespace vitrine::test {

Result<BareModel> BareModel::open(const std::string& path, const KvCacheShape& cache, int threads,
                                  const std::function<void(ModelSpec&)>& change)
{
    Result<ModelFile> file = ModelFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    if (change)
        change(file->spec);
    std::unique_ptr<Backend> backend = makeCpuBackend(threads);
    const auto goOn = [](double) { return true; };
    if (Result<void> done = backend->loadWeights(file->spec, file->weights, goOn, [](const Tensor&) {});
        !done)
        return tl::unexpected(done.error());
    if (Result<void> done = backend->allocateKvCache(cache); !done)
        return tl::unexpected(done.error());
    BareModel bare;
    bare.m_model = std::make_unique<Model>(file->spec, std::move(backend));
    bare.m_blockSize = cache.blockSize;
    return bare;
}

void BareModel::forward(std::span<const TokenId> tokens, std::int32_t begin, std::int32_t end, bool allLogits)
{
    m_batch.clear();
    for (std::int32_t position = begin; position < end; ++position) {
        m_batch.tokens.push_back(tokens[static_cast<std::size_t>(position)]);
        m_batch.positions.push_back(position);
        m_batch.slotMapping.push_back(m_blockSize + position);
        if (allLogits || position + 1 == end)
            m_batch.logitRows.push_back(position - begin);
    }
    for (std::int32_t block = 0; block * m_blockSize < end; ++block)
        m_batch.blockTables.push_back(BlockId{static_cast<std::uint32_t>(block + 1)});
    m_batch.sequenceOffsets = {0, end - begin};
    m_batch.blockTableOffsets = {0, static_cast<std::int32_t>(m_batch.blockTables.size())};
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
