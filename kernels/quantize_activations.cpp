// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/simd.h"

#include "kernels/quantize_activations.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantize_activations.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each target.
#include <hwy/highway.h>

#include <algorithm>
#include <cassert>
#include <iterator>

HWY_BEFORE_NAMESPACE();
namespace vitrine::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, ActivationBlock::kColumns / 2>;
using Ints = hn::Rebind<std::int32_t, Floats>;
using Bytes = hn::Rebind<std::int8_t, Floats>;

/// Where all values are smaller, 127 / greatest could overflow; they are taken for zero.
constexpr float kTiny = 1e-30F;
/// Steps to choose from, so much wider than the one that makes the greatest value 127. Where the values fall
/// among the steps is luck: the best of four makes the mean squared error 14 % smaller than always the first
/// (two: 8 %, six: 16 %); much closer together they round alike, much further apart the steps are too wide.
constexpr float kWider[] = {1.0F, 1.0075F, 1.015F, 1.0225F};
constexpr std::size_t kSteps = 4;
static_assert(std::size(kWider) == kSteps);

/// A row is quantised so many blocks at a time, one pass after the other: within a pass no block waits for
/// another, and what is decided once a block is decided for many blocks in one register.
constexpr std::size_t kBlocksAtOnce = 64;
using BlockFloats = float[kBlocksAtOnce];

float greatestMagnitude(const float* HWY_RESTRICT values)
{
    const Floats d;
    auto greatest = hn::Zero(d);
    for (std::size_t c = 0; c < ActivationBlock::kColumns; c += hn::Lanes(d))
        greatest = hn::Max(greatest, hn::Abs(hn::LoadU(d, values + c)));
    return hn::GetLane(hn::MaxOfLanes(d, greatest));
}

#if HWY_TARGET == HWY_SCALAR
void sumsOfLanes(const hn::Vec<Floats> (&v)[4], float* HWY_RESTRICT sums)
{
    for (std::size_t i = 0; i < 4; ++i)
        sums[i] = hn::GetLane(v[i]);
}
#else
template<class D>
hn::Vec<hn::FixedTag<float, 4>> addGroupsOfFour(D d, hn::Vec<D> v)
{
    if constexpr (hn::MaxLanes(d) == 4) {
        return v;
    } else {
        const hn::Half<D> half;
        return addGroupsOfFour(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
}

/// The sums of the lanes of four registers, in a third of the steps that four sums take one by one.
void sumsOfLanes(const hn::Vec<Floats> (&v)[4], float* HWY_RESTRICT sums)
{
    const Floats d;
    const auto even = hn::Add(hn::InterleaveLower(d, v[0], v[2]), hn::InterleaveUpper(d, v[0], v[2]));
    const auto odd = hn::Add(hn::InterleaveLower(d, v[1], v[3]), hn::InterleaveUpper(d, v[1], v[3]));
    const auto all = hn::Add(hn::InterleaveLower(d, even, odd), hn::InterleaveUpper(d, even, odd));
    hn::StoreU(addGroupsOfFour(d, all), hn::FixedTag<float, 4>(), sums);
}
#endif

/// The squared rounding errors with each step, in units of that step, so that nothing overflows.
void measureSteps(const float* HWY_RESTRICT values, float inverse, float* HWY_RESTRICT errors)
{
    const Floats d;
    hn::Vec<Floats> sums[kSteps] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t c = 0; c < ActivationBlock::kColumns; c += hn::Lanes(d)) {
        const auto value = hn::Mul(hn::LoadU(d, values + c), hn::Set(d, inverse));
        for (std::size_t k = 0; k < kSteps; ++k) {
            const auto scaled = hn::Mul(value, hn::Set(d, 1 / kWider[k]));
            const auto difference = hn::Sub(scaled, hn::Round(scaled));
            sums[k] = hn::MulAdd(difference, difference, sums[k]);
        }
    }
    sumsOfLanes(sums, errors);
}

/// The steps 1 / inverse to begin with: the greatest value becomes 127.
void narrowScales(const BlockFloats& greatest, std::size_t blocks, BlockFloats& scales, BlockFloats& inverses)
{
    const Floats d;
    for (std::size_t b = 0; b < blocks; b += hn::Lanes(d)) {
        const auto isTiny = hn::Le(hn::LoadU(d, greatest + b), hn::Set(d, kTiny));
        const auto scale = hn::Mul(hn::LoadU(d, greatest + b), hn::Set(d, 1.0F / 127));
        hn::StoreU(hn::IfThenZeroElse(isTiny, scale), d, scales + b);
        hn::StoreU(hn::IfThenZeroElse(isTiny, hn::Div(hn::Set(d, 1.0F), scale)), d, inverses + b);
    }
}

/// errors: [block][step].
void chooseSteps(const float* HWY_RESTRICT errors, std::size_t blocks, BlockFloats& scales,
                 BlockFloats& inverses)
{
    const Floats d;
    for (std::size_t b = 0; b < blocks; b += hn::Lanes(d)) {
        hn::Vec<Floats> error[kSteps];
        hn::LoadInterleaved4(d, errors + b * kSteps, error[0], error[1], error[2], error[3]);
        auto factor = hn::Set(d, 1.0F);
        auto inverse = hn::Set(d, 1.0F);
        for (std::size_t k = 1; k < kSteps; ++k) {
            error[k] = hn::Mul(error[k], hn::Set(d, kWider[k] * kWider[k]));
            const auto better = hn::Lt(error[k], error[0]);
            error[0] = hn::Min(error[k], error[0]);
            factor = hn::IfThenElse(better, hn::Set(d, kWider[k]), factor);
            inverse = hn::IfThenElse(better, hn::Set(d, 1 / kWider[k]), inverse);
        }
        hn::StoreU(hn::Mul(hn::LoadU(d, scales + b), factor), d, scales + b);
        hn::StoreU(hn::Mul(hn::LoadU(d, inverses + b), inverse), d, inverses + b);
    }
}

/// 32 values into row j of the block. Once the integers are known, the scale is the one that makes the
/// squared error least: 3 % less of it.
void writeBlock(const float* HWY_RESTRICT values, float scale, float inverse, std::size_t j,
                ActivationBlock& block)
{
    const Floats d;
    const Ints ints;
    hn::Vec<Floats> sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t c = 16 * half; c < 16 * (half + 1); c += hn::Lanes(d)) {
            const auto value = hn::Mul(hn::LoadU(d, values + c), hn::Set(d, inverse));
            const auto rounded = hn::Round(value);
            sums[half] = hn::Add(sums[half], rounded);
            sums[2] = hn::MulAdd(value, rounded, sums[2]);
            sums[3] = hn::MulAdd(rounded, rounded, sums[3]);
            hn::StoreU(hn::DemoteTo(Bytes(), hn::ConvertTo(ints, rounded)), Bytes(), block.values[j] + c);
        }
    float totals[4];
    sumsOfLanes(sums, totals);
    block.scales[j] = totals[3] > 0 ? scale * (totals[2] / totals[3]) : scale;
    block.sums[j] = block.scales[j] * (totals[0] + totals[1]);
    block.sumsOf16[0][j] = static_cast<std::int32_t>(totals[0]);
    block.sumsOf16[1][j] = static_cast<std::int32_t>(totals[1]);
}

void quantizeBlocks(const float* values, std::size_t j, std::size_t blocks, ActivationBlock* panel)
{
    constexpr std::size_t kColumns = ActivationBlock::kColumns;
    BlockFloats greatest = {};
    float errors[kSteps * kBlocksAtOnce] = {};
    BlockFloats scales;
    BlockFloats inverses;
    for (std::size_t b = 0; b < blocks; ++b)
        greatest[b] = greatestMagnitude(values + b * kColumns);
    narrowScales(greatest, blocks, scales, inverses);
    for (std::size_t b = 0; b < blocks; ++b)
        measureSteps(values + b * kColumns, inverses[b], errors + b * kSteps);
    chooseSteps(errors, blocks, scales, inverses);
    for (std::size_t b = 0; b < blocks; ++b)
        writeBlock(values + b * kColumns, scales[b], inverses[b], j, panel[b]);
}

void quantizeRow(const float* values, std::size_t j, std::size_t blocks, ActivationBlock* panel)
{
    for (std::size_t b = 0; b < blocks; b += kBlocksAtOnce)
        quantizeBlocks(values + b * ActivationBlock::kColumns, j, std::min(kBlocksAtOnce, blocks - b),
                       panel + b);
}

} // namespace
} // namespace vitrine::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::kernels {
namespace {

HWY_EXPORT(quantizeRow);

std::size_t panelsFor(std::size_t rows)
{
    return (rows + ActivationBlock::kRows - 1) / ActivationBlock::kRows;
}

} // namespace

QuantizedActivations::QuantizedActivations(std::size_t maxRows, std::size_t maxColumns)
    : m_buffer(panelsFor(maxRows) * (maxColumns / ActivationBlock::kColumns) * sizeof(ActivationBlock))
{
}

void QuantizedActivations::setShape(std::size_t rows, std::size_t columns)
{
    assert(columns % ActivationBlock::kColumns == 0);
    m_rows = rows;
    m_columns = columns;
    assert(panelsFor(rows) * blocks() * sizeof(ActivationBlock) <= m_buffer.size());
}

ActivationBlock* QuantizedActivations::data() const noexcept
{
    return reinterpret_cast<ActivationBlock*>(m_buffer.data());
}

void quantizeRows(const float* values, std::size_t stride, RowRange range, QuantizedActivations& out)
{
    assert(range.end <= out.rows());
    for (std::size_t row = range.begin; row < range.end; ++row)
        HWY_DYNAMIC_DISPATCH(quantizeRow)
    (values + row * stride, row % ActivationBlock::kRows, out.blocks(),
     out.panel(row / ActivationBlock::kRows));
}

} // namespace vitrine::kernels
#endif // HWY_ONCE
