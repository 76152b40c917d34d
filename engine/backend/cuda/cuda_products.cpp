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

void reserve(DeviceArray<std::byte>& buffer, kernels::cuda::Device& device, std::size_t bytes)
{
    if (bytes <= buffer.size())
        return;
    buffer = {}; // before there is the larger one
    buffer = DeviceArray<std::byte>(device, bytes);
}

} // namespace

CudaProducts::CudaProducts(kernels::cuda::Device& device)
    : m_device(device)
{
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
    reserve(m_narrowInput, m_device, count * sizeof(std::uint16_t));
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
    const int tileRows =
        static_cast<int>(std::clamp<std::size_t>(kTileElements / at(weights.columns), 1, at(weights.rows)));
    reserve(m_tile, m_device, at(tileRows) * at(weights.columns) * sizeof(std::uint16_t));
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
