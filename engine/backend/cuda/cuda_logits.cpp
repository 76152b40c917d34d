// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_logits.h"

#include <algorithm>

namespace vitrine {
namespace {

using kernels::cuda::kMaxTopK;
using kernels::cuda::kTopKChunk;

static_assert(kMaxTopLogits <= kMaxTopK);
static_assert(sizeof(TokenId) == sizeof(std::int32_t) && sizeof(float) == sizeof(std::int32_t));

std::size_t at(std::int64_t value)
{
    return static_cast<std::size_t>(value);
}

template<class T>
void reserve(DeviceArray<T>& array, kernels::cuda::Device& device, std::size_t count)
{
    if (count <= array.size())
        return;
    array = {}; // before there is the larger one
    array = DeviceArray<T>(device, count);
}

} // namespace

CudaLogits::CudaLogits(kernels::cuda::Device& device, CudaProducts& products)
    : m_device(device)
    , m_products(products)
{
}

/// cap(scale * W_out * norm(x)) into m_logits.
void CudaLogits::compute(const Rows& rows, const ModelSpec& spec, const CudaWeights& weights)
{
    const CudaMatrix& output = weights.outputLayer();
    const std::size_t size = at(rows.count) * at(output.rows);
    reserve(m_normed, m_device, at(rows.count) * at(spec.embeddingLength));
    reserve(m_logits, m_device, size);
    const kernels::cuda::KernelTable& kernels = m_device.kernels();
    m_device.check(kernels.rmsNorm(m_device.launch(), {.out = m_normed.get(),
                                                       .in = rows.residual,
                                                       .weight = weights.outputNorm.get(),
                                                       .rowNumbers = rows.numbers,
                                                       .rows = rows.count,
                                                       .columns = spec.embeddingLength,
                                                       .epsilon = spec.rmsEpsilon}));
    m_products.multiply(output, m_normed.get(), rows.count, m_logits.get(), CudaProducts::Into::Overwrite);
    if (spec.logitScale != 1 || spec.logitSoftCap > 0)
        m_device.check(kernels.scaleAndCap(m_device.launch(),
                                           {m_logits.get(), size, spec.logitScale, spec.logitSoftCap}));
}

std::span<float> CudaLogits::of(const Rows& rows, const ModelSpec& spec, const CudaWeights& weights)
{
    compute(rows, spec, weights);
    m_hostLogits.resize(at(rows.count) * at(weights.outputLayer().rows));
    m_device.download(m_hostLogits.data(), m_logits.get(), m_hostLogits.size() * sizeof(float));
    return m_hostLogits;
}

TopLogits CudaLogits::topOf(const Rows& rows, std::int32_t k, const ModelSpec& spec,
                            const CudaWeights& weights)
{
    compute(rows, spec, weights);
    const int columns = weights.outputLayer().rows;
    const int chunks = (columns + kTopKChunk - 1) / kTopKChunk;
    const std::size_t size = at(rows.count) * at(k);
    reserve(m_chunkValues, m_device, size * at(chunks));
    reserve(m_chunkIds, m_device, size * at(chunks));
    reserve(m_top, m_device, 2 * size * sizeof(float));
    float* const values = reinterpret_cast<float*>(m_top.get());
    auto* const ids = reinterpret_cast<std::int32_t*>(values + size);
    const auto choose = [&](const kernels::cuda::TopK& problem) {
        m_device.check(m_device.kernels().topK(m_device.launch(), problem));
    };
    choose(
        {m_chunkValues.get(), m_chunkIds.get(), m_logits.get(), nullptr, rows.count, columns, kTopKChunk, k});
    const int candidates = chunks * k;
    choose({values, ids, m_chunkValues.get(), m_chunkIds.get(), rows.count, candidates, candidates, k});
    m_hostTop.resize(2 * size * sizeof(float));
    m_device.download(m_hostTop.data(), m_top.get(), m_hostTop.size());
    return {{reinterpret_cast<const float*>(m_hostTop.data()), size},
            {reinterpret_cast<const TokenId*>(m_hostTop.data()) + size, size}};
}

} // namespace vitrine
