// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/simd.h"

#include "kernels/matmul_float.h"
#include "kernels/matmul_walk.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul_float.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each target.
#include <hwy/highway.h>

#include <array>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace vitrine::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, PackedMatrix::kGroupRows>;
constexpr std::size_t kLanes = hn::MaxLanes(Floats());
constexpr std::size_t kParts = PackedMatrix::kGroupRows / kLanes; ///< registers that hold a column of 16 rows

HWY_INLINE hn::Vec<Floats> loadWeights(const float* from)
{
    return hn::LoadU(Floats(), from);
}

template<class Half>
HWY_INLINE hn::Vec<Floats> loadWeights(const Half* from)
{
    return hn::PromoteTo(Floats(), hn::LoadU(hn::Rebind<Half, Floats>(), from));
}

/// 16 weight rows × kRows activation rows. With few activation rows several parts are summed at once, as one
/// chain of sums would wait for itself.
template<class Weight, std::size_t kRows>
void multiplyTile(const MatmulJob& job, const std::byte* group, std::size_t firstRow, MatmulTile& out)
{
    constexpr std::size_t kAtOnce = std::max<std::size_t>(1, std::min(kParts, 8 / kRows));
    const auto* weights = reinterpret_cast<const Weight*>(group);
    const float* x = job.activations.values + firstRow * job.activations.stride;
    for (std::size_t part = 0; part < kParts; part += kAtOnce) {
        hn::Vec<Floats> sums[kAtOnce][kRows];
        for (auto& row : sums)
            for (auto& sum : row)
                sum = hn::Zero(Floats());
        for (std::size_t c = 0; c < job.weights.columns(); ++c)
            for (std::size_t i = 0; i < kAtOnce; ++i) {
                const auto weight = loadWeights(weights + c * PackedMatrix::kGroupRows + (part + i) * kLanes);
                for (std::size_t j = 0; j < kRows; ++j)
                    sums[i][j] =
                        hn::MulAdd(weight, hn::Set(Floats(), x[j * job.activations.stride + c]), sums[i][j]);
            }
        for (std::size_t i = 0; i < kAtOnce; ++i)
            for (std::size_t j = 0; j < kRows; ++j)
                hn::StoreU(sums[i][j], Floats(), out.values[j] + (part + i) * kLanes);
    }
}

using TileFunction = void (*)(const MatmulJob&, const std::byte*, std::size_t, MatmulTile&);

/// multiplyTile for 1 … 8 activation rows.
template<class Weight, std::size_t... kRowsMinusOne>
constexpr auto tileFunctions(std::index_sequence<kRowsMinusOne...>)
{
    return std::array<TileFunction, sizeof...(kRowsMinusOne)>{&multiplyTile<Weight, kRowsMinusOne + 1>...};
}

template<class Weight>
void multiplyWeights(const MatmulJob& job)
{
    constexpr auto kTiles = tileFunctions<Weight>(std::make_index_sequence<ActivationBlock::kRows>());
    walkTiles(job, [&](std::size_t group, std::size_t firstRow, std::size_t rows, MatmulTile& tile) {
        kTiles[rows - 1](job, job.weights.group(group), firstRow, tile);
    });
}

void multiplyFloats(const MatmulJob& job)
{
    switch (job.weights.type()) {
    case TensorType::F16:
        return multiplyWeights<hwy::float16_t>(job);
    case TensorType::BF16:
        return multiplyWeights<hwy::bfloat16_t>(job);
    default:
        return multiplyWeights<float>(job);
    }
}

} // namespace
} // namespace vitrine::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::kernels {
namespace {

HWY_EXPORT(multiplyFloats);

} // namespace

void matmulFloat(const MatmulJob& job)
{
    HWY_DYNAMIC_DISPATCH(multiplyFloats)(job);
}

} // namespace vitrine::kernels
#endif // HWY_ONCE
