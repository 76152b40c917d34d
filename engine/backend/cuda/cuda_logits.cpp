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

int chunksOf(int columns)
{
    return (columns + kTopKChunk - 1) / kTopKChunk;
}

template<class T>
void grow(DeviceArray<T>& array, kernels::cuda::Device& device, std::size_t count)
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

void CudaLogits::reserve(std::int32_t rows, const ModelSpec& spec, const CudaWeights& weights)
{
    const std::size_t atOnce = at(std::min(rows, kMostLogitRowsOnCard));
    const int columns = weights.outputLayer().rows;
    forget();
    grow(m_normed, m_device, atOnce * at(spec.embeddingLength));
    grow(m_logits, m_device, atOnce * at(columns));
    reserveTop(at(rows), atOnce, kMaxTopLogits, columns);
}

void CudaLogits::reserveTop(std::size_t rows, std::size_t rowsAtOnce, std::int32_t k, int columns)
{
    grow(m_chunkValues, m_device, rowsAtOnce * at(chunksOf(columns)) * at(k));
    grow(m_chunkIds, m_device, rowsAtOnce * at(chunksOf(columns)) * at(k));
    grow(m_top, m_device, 2 * rows * at(k) * sizeof(float));
}

void CudaLogits::release()
{
    forget();
    m_normed = {};
    m_logits = {};
    m_chunkValues = {};
    m_chunkIds = {};
    m_top = {};
}

/// cap(scale * W_out * norm(x)) into m_logits.
void CudaLogits::compute(const Rows& rows, const ModelSpec& spec, const CudaWeights& weights)
{
    const CudaMatrix& output = weights.outputLayer();
    const std::size_t size = at(rows.count) * at(output.rows);
    grow(m_normed, m_device, at(rows.count) * at(spec.embeddingLength));
    grow(m_logits, m_device, size);
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
    m_held = rows;
}

bool CudaLogits::holds(const Rows& rows) const
{
    return m_held && m_held->residual == rows.residual && m_held->numbers <= rows.numbers &&
           rows.numbers + rows.count <= m_held->numbers + m_held->count;
}

std::span<float> CudaLogits::of(const Rows& rows, const ModelSpec& spec, const CudaWeights& weights)
{
    const std::size_t columns = at(weights.outputLayer().rows);
    if (!holds(rows))
        compute(rows, spec, weights);
    const float* const logits = m_logits.get() + at(rows.numbers - m_held->numbers) * columns;
    m_hostLogits.resize(at(rows.count) * columns);
    m_device.download(m_hostLogits.data(), logits, m_hostLogits.size() * sizeof(float));
    return m_hostLogits;
}

TopLogits CudaLogits::topOf(const Rows& rows, std::int32_t k, const ModelSpec& spec,
                            const CudaWeights& weights)
{
    const int columns = weights.outputLayer().rows;
    const std::size_t size = at(rows.count) * at(k);
    reserveTop(at(rows.count), at(std::min(rows.count, kMostLogitRowsOnCard)), k, columns);
    float* const values = reinterpret_cast<float*>(m_top.get());
    auto* const ids = reinterpret_cast<std::int32_t*>(values + size);
    for (std::int32_t first = 0; first < rows.count; first += kMostLogitRowsOnCard) {
        const std::int32_t count = std::min(kMostLogitRowsOnCard, rows.count - first);
        compute({rows.residual, rows.numbers + first, count}, spec, weights);
        findTop(count, columns, k, values + at(first) * at(k), ids + at(first) * at(k));
    }
    m_hostTop.resize(2 * size * sizeof(float));
    m_device.download(m_hostTop.data(), m_top.get(), m_hostTop.size());
    return {{reinterpret_cast<const float*>(m_hostTop.data()), size},
            {reinterpret_cast<const TokenId*>(m_hostTop.data()) + size, size}};
}

/// Of each chunk of m_logits, then of each row's chunks.
void CudaLogits::findTop(std::int32_t rows, int columns, std::int32_t k, float* values, std::int32_t* ids)
{
    const auto choose = [&](const kernels::cuda::TopK& problem) {
        m_device.check(m_device.kernels().topK(m_device.launch(), problem));
    };
    const int candidates = chunksOf(columns) * k;
    choose({m_chunkValues.get(), m_chunkIds.get(), m_logits.get(), nullptr, rows, columns, kTopKChunk, k});
    choose({values, ids, m_chunkValues.get(), m_chunkIds.get(), rows, candidates, candidates, k});
}

} // namespace vitrine
