// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_products.h"

#include <algorithm>
#include <cstdint>

namespace vitrine {
namespace {

using kernels::TensorType;
using kernels::cuda::DenseProduct;
using kernels::cuda::DenseType;
using kernels::cuda::NarrowType;

/// Products with more rows go to cuBLAS. Below, the weights are read once or twice in their own format.
constexpr int kMatVecRows = 2 * kernels::cuda::kMatVecInputs;
/// Elements of weights that are dequantised at a time: 64 MiB.
constexpr std::size_t kTileElements = std::size_t{32} << 20;
/// Rows are multiplied by this before they become F16: 2^20 is then still in range, and what is lost at the
/// lower end is below 1e-6. A power of two, so that nothing is rounded twice.
constexpr float kHalfScale = 1.0F / 16;
/// Of the first cards with BF16 products (Ampere).
constexpr int kBfloatMajor = 8;

std::size_t at(int value)
{
    return static_cast<std::size_t>(value);
}

/// The weights are multiplied as they lie there.
bool isStoredAs(TensorType stored, DenseType type)
{
    return type != DenseType::F16 || stored == TensorType::F16;
}

/// Whole groups of rows, so that each tile's results begin where cuBLAS likes them to.
int tileRowsOf(const CudaMatrix& weights)
{
    constexpr std::size_t kGroup = 64;
    const std::size_t fitting = kTileElements / at(weights.columns) / kGroup * kGroup;
    return static_cast<int>(std::clamp<std::size_t>(fitting, 1, at(weights.rows)));
}

/// Those that whole batches are multiplied with; experts have kernels of their own.
template<class Use>
void forEachMatrix(const CudaWeights& weights, bool hasExperts, Use&& use)
{
    const auto useIfThere = [&](const CudaMatrix& matrix) {
        if (matrix.data.get() != nullptr)
            use(matrix);
    };
    useIfThere(weights.outputLayer());
    for (const CudaLayer& layer : weights.layers) {
        for (const CudaMatrix* matrix :
             {&layer.query, &layer.key, &layer.value, &layer.attentionOutput, &layer.router})
            useIfThere(*matrix);
        for (const CudaMatrix* matrix : {&layer.gate, &layer.up, &layer.down})
            if (!hasExperts)
                useIfThere(*matrix);
    }
}

} // namespace

CudaProducts::CudaProducts(kernels::cuda::Device& device)
    : m_device(device)
{
}

void CudaProducts::prepare(const CudaWeights& weights, bool hasExperts)
{
    std::size_t tileBytes = 0;
    m_narrowColumns = 0;
    forEachMatrix(weights, hasExperts, [&](const CudaMatrix& matrix) {
        const DenseType type = denseTypeFor(matrix.type);
        if (type != DenseType::F32)
            m_narrowColumns = std::max(m_narrowColumns, at(matrix.columns));
        if (!isStoredAs(matrix.type, type))
            tileBytes =
                std::max(tileBytes, at(tileRowsOf(matrix)) * at(matrix.columns) * sizeof(std::uint16_t));
    });
    m_tile = {};
    m_tile = DeviceArray<std::byte>(m_device, tileBytes);
}

void CudaProducts::reserveRows(std::size_t rows)
{
    m_narrowInput = {}; // before there is the larger one
    if (rows > kMatVecRows)
        m_narrowInput = DeviceArray<std::byte>(m_device, rows * m_narrowColumns * sizeof(std::uint16_t));
}

void CudaProducts::multiply(const CudaMatrix& weights, const float* in, int rows, float* out, Into into)
{
    if (rows > kMatVecRows)
        return multiplyDense(weights, in, rows, out, into);
    m_device.check(
        m_device.kernels().matVec(m_device.launch(), {out, weights.view(), in, rows, into == Into::Add}));
}

DenseType CudaProducts::denseTypeFor(TensorType type) const
{
    if (type == TensorType::F32)
        return DenseType::F32;
    return type == TensorType::BF16 && m_device.info().major >= kBfloatMajor ? DenseType::BF16
                                                                             : DenseType::F16;
}

CudaProducts::DenseInput CudaProducts::denseInput(const float* in, std::size_t count, DenseType type)
{
    if (type == DenseType::F32)
        return {in, type, 1};
    const bool isHalf = type == DenseType::F16;
    const float scale = isHalf ? kHalfScale : 1;
    m_device.check(
        m_device.kernels().narrow(m_device.launch(), {m_narrowInput.get(), in, count, scale,
                                                      isHalf ? NarrowType::F16 : NarrowType::BF16}));
    return {m_narrowInput.get(), type, 1 / scale};
}

void CudaProducts::multiplyDense(const CudaMatrix& weights, const float* in, int rows, float* out, Into into)
{
    const DenseType type = denseTypeFor(weights.type);
    const DenseInput input = denseInput(in, at(rows) * at(weights.columns), type);
    const DenseProduct product{.out = out,
                               .weights = weights.data.get(),
                               .in = input.data,
                               .type = type,
                               .rows = weights.rows,
                               .columns = weights.columns,
                               .inputs = rows,
                               .outStride = weights.rows,
                               .scale = input.unscale,
                               .add = into == Into::Add};
    if (isStoredAs(weights.type, type))
        m_device.multiply(product);
    else
        multiplyByTiles(weights, product);
}

/// Tiles become F16 one after the other, each in the memory of the one before.
void CudaProducts::multiplyByTiles(const CudaMatrix& weights, DenseProduct product)
{
    float* const out = product.out;
    const int tileRows = tileRowsOf(weights);
    product.weights = m_tile.get();
    for (int first = 0; first < weights.rows; first += tileRows) {
        product.rows = std::min(tileRows, weights.rows - first);
        product.out = out + first;
        m_device.check(m_device.kernels().dequantize(
            m_device.launch(), {m_tile.get(), weights.view(), first, product.rows, NarrowType::F16}));
        m_device.multiply(product);
    }
}

} // namespace vitrine
