// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/simd.h"

#include "kernels/ops.h"
#include "kernels/rope.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each target.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cassert>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace vitrine::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::ScalableTag<float>;
using OneLane = hn::CappedTag<float, 1>;

/// The exponential is near its greatest float, and x / (1 + exp) as good as 0.
constexpr float kGreatestExponent = 88.0F;
constexpr float kGeluScale = 0.797884560802865356F; // sqrt(2 / pi)

/// body(tag, i) for whole vectors from left to right, then for the rest one by one.
template<class Body>
HWY_INLINE void forEachVector(std::size_t size, const Body& body)
{
    std::size_t i = 0;
    for (; i + hn::Lanes(Lanes()) <= size; i += hn::Lanes(Lanes()))
        body(Lanes(), i);
    for (; i < size; ++i)
        body(OneLane(), i);
}

float sumOfSquares(const float* HWY_RESTRICT x, std::size_t size)
{
    const Lanes d;
    const std::size_t step = hn::Lanes(d);
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    std::size_t i = 0;
    for (; i + 2 * step <= size; i += 2 * step) {
        const auto a = hn::LoadU(d, x + i);
        const auto b = hn::LoadU(d, x + i + step);
        even = hn::MulAdd(a, a, even);
        odd = hn::MulAdd(b, b, odd);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
    for (; i < size; ++i)
        sum += x[i] * x[i];
    return sum;
}

void rmsNorm(const float* x, const float* weight, float epsilon, float* out, std::size_t size)
{
    const double mean = static_cast<double>(sumOfSquares(x, size)) / static_cast<double>(size);
    const auto factor = static_cast<float>(1 / std::sqrt(mean + static_cast<double>(epsilon)));
    forEachVector(size, [=](auto d, std::size_t i) HWY_ATTR {
        const auto scaled = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor));
        hn::StoreU(hn::Mul(scaled, hn::LoadU(d, weight + i)), d, out + i);
    });
}

void add(const float* x, float* into, std::size_t size)
{
    forEachVector(size, [=](auto d, std::size_t i) HWY_ATTR {
        hn::StoreU(hn::Add(hn::LoadU(d, into + i), hn::LoadU(d, x + i)), d, into + i);
    });
}

void scale(float factor, float* values, std::size_t size)
{
    forEachVector(size, [=](auto d, std::size_t i) HWY_ATTR {
        hn::StoreU(hn::Mul(hn::LoadU(d, values + i), hn::Set(d, factor)), d, values + i);
    });
}

void siluMul(const float* gate, const float* up, float* out, std::size_t size)
{
    forEachVector(size, [=](auto d, std::size_t i) HWY_ATTR {
        const auto x = hn::LoadU(d, gate + i);
        const auto exponential = hn::Exp(d, hn::Min(hn::Neg(x), hn::Set(d, kGreatestExponent)));
        const auto silu = hn::Div(x, hn::Add(hn::Set(d, 1.0F), exponential));
        hn::StoreU(hn::Mul(silu, hn::LoadU(d, up + i)), d, out + i);
    });
}

void geluMul(const float* gate, const float* up, float* out, std::size_t size)
{
    forEachVector(size, [=](auto d, std::size_t i) HWY_ATTR {
        const auto x = hn::LoadU(d, gate + i);
        // 1 + tanh(u) = 2 / (1 + exp(-2u)), u = sqrt(2 / pi) * (x + 0.044715 x^3)
        const auto cubic =
            hn::MulAdd(hn::Mul(x, x), hn::Set(d, -2 * kGeluScale * 0.044715F), hn::Set(d, -2 * kGeluScale));
        const auto exponential = hn::Exp(d, hn::Min(hn::Mul(x, cubic), hn::Set(d, kGreatestExponent)));
        const auto gelu = hn::Div(x, hn::Add(hn::Set(d, 1.0F), exponential));
        hn::StoreU(hn::Mul(gelu, hn::LoadU(d, up + i)), d, out + i);
    });
}

void softCap(float cap, float* values, std::size_t size)
{
    forEachVector(size, [=](auto d, std::size_t i) HWY_ATTR {
        const auto x = hn::Mul(hn::LoadU(d, values + i), hn::Set(d, 1 / cap));
        hn::StoreU(hn::Mul(hn::Tanh(d, x), hn::Set(d, cap)), d, values + i);
    });
}

/// NaN is passed over; minus infinity where there is nothing else.
float greatest(const float* HWY_RESTRICT values, std::size_t size)
{
    const Lanes d;
    constexpr float kLowest = -std::numeric_limits<float>::infinity();
    auto best = hn::Set(d, kLowest);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
        const auto x = hn::LoadU(d, values + i);
        best = hn::IfThenElse(hn::Gt(x, best), x, best);
    }
    float result = hn::GetLane(hn::MaxOfLanes(d, best));
    for (; i < size; ++i)
        result = values[i] > result ? values[i] : result;
    return result;
}

void softmax(float* values, std::size_t size)
{
    const float shift = greatest(values, size);
    auto sums = hn::Zero(Lanes());
    float sum = 0;
    forEachVector(size, [=, &sums, &sum](auto d, std::size_t i) HWY_ATTR {
        const auto weight = hn::Exp(d, hn::Sub(hn::LoadU(d, values + i), hn::Set(d, shift)));
        hn::StoreU(weight, d, values + i);
        if constexpr (hn::MaxLanes(decltype(d)()) == 1)
            sum += hn::GetLane(weight);
        else
            sums = hn::Add(sums, weight);
    });
    scale(1 / (sum + hn::GetLane(hn::SumOfLanes(Lanes(), sums))), values, size);
}

std::size_t argmax(const float* HWY_RESTRICT values, std::size_t size)
{
    const Lanes d;
    const float best = greatest(values, size);
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
        const auto found = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, values + i), hn::Set(d, best)));
        if (found >= 0)
            return i + static_cast<std::size_t>(found);
    }
    for (; i < size; ++i)
        if (values[i] == best)
            return i;
    return 0;
}

/// Pairs (i, i + pairs) of one head.
void rotateHalves(const float* HWY_RESTRICT cosines, const float* HWY_RESTRICT sines, std::size_t pairs,
                  float* HWY_RESTRICT head)
{
    forEachVector(pairs, [=](auto d, std::size_t i) HWY_ATTR {
        const auto a = hn::LoadU(d, head + i);
        const auto b = hn::LoadU(d, head + i + pairs);
        const auto cosine = hn::LoadU(d, cosines + i);
        const auto sine = hn::LoadU(d, sines + i);
        hn::StoreU(hn::NegMulAdd(b, sine, hn::Mul(a, cosine)), d, head + i);
        hn::StoreU(hn::MulAdd(a, sine, hn::Mul(b, cosine)), d, head + i + pairs);
    });
}

/// Pairs (2i, 2i + 1) of one head.
void rotateNeighbours(const float* HWY_RESTRICT cosines, const float* HWY_RESTRICT sines, std::size_t pairs,
                      float* HWY_RESTRICT head)
{
    const Lanes d;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= pairs; i += hn::Lanes(d)) {
        hn::Vec<Lanes> a;
        hn::Vec<Lanes> b;
        hn::LoadInterleaved2(d, head + 2 * i, a, b);
        const auto cosine = hn::LoadU(d, cosines + i);
        const auto sine = hn::LoadU(d, sines + i);
        hn::StoreInterleaved2(hn::NegMulAdd(b, sine, hn::Mul(a, cosine)),
                              hn::MulAdd(a, sine, hn::Mul(b, cosine)), d, head + 2 * i);
    }
    for (; i < pairs; ++i) {
        const float a = head[2 * i];
        const float b = head[2 * i + 1];
        head[2 * i] = a * cosines[i] - b * sines[i];
        head[2 * i + 1] = a * sines[i] + b * cosines[i];
    }
}

void rope(RopeKind kind, const float* cosines, const float* sines, std::size_t pairs, std::size_t headDim,
          std::span<float> heads)
{
    for (std::size_t head = 0; head < heads.size(); head += headDim)
        if (kind == RopeKind::Norm)
            rotateNeighbours(cosines, sines, pairs, heads.data() + head);
        else
            rotateHalves(cosines, sines, pairs, heads.data() + head);
}

} // namespace
} // namespace vitrine::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::kernels {
namespace {

HWY_EXPORT(rmsNorm);
HWY_EXPORT(add);
HWY_EXPORT(scale);
HWY_EXPORT(siluMul);
HWY_EXPORT(geluMul);
HWY_EXPORT(softCap);
HWY_EXPORT(softmax);
HWY_EXPORT(argmax);
HWY_EXPORT(rope);

} // namespace

void rmsNorm(std::span<const float> x, std::span<const float> weight, float epsilon, std::span<float> out)
{
    assert(weight.size() == x.size() && out.size() == x.size());
    HWY_DYNAMIC_DISPATCH(rmsNorm)(x.data(), weight.data(), epsilon, out.data(), x.size());
}

void addRmsNorm(std::span<float> residual, std::span<const float> delta, std::span<const float> weight,
                float epsilon, std::span<float> out)
{
    add(delta, residual);
    rmsNorm(residual, weight, epsilon, out);
}

void add(std::span<const float> x, std::span<float> into)
{
    assert(x.size() == into.size());
    HWY_DYNAMIC_DISPATCH(add)(x.data(), into.data(), into.size());
}

void scale(float factor, std::span<float> values)
{
    HWY_DYNAMIC_DISPATCH(scale)(factor, values.data(), values.size());
}

void siluMul(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    assert(gate.size() == out.size() && up.size() == out.size());
    HWY_DYNAMIC_DISPATCH(siluMul)(gate.data(), up.data(), out.data(), out.size());
}

void geluMul(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    assert(gate.size() == out.size() && up.size() == out.size());
    HWY_DYNAMIC_DISPATCH(geluMul)(gate.data(), up.data(), out.data(), out.size());
}

void softCap(float cap, std::span<float> values)
{
    assert(cap > 0);
    HWY_DYNAMIC_DISPATCH(softCap)(cap, values.data(), values.size());
}

void softmax(std::span<float> values)
{
    HWY_DYNAMIC_DISPATCH(softmax)(values.data(), values.size());
}

std::size_t argmax(std::span<const float> values)
{
    assert(!values.empty());
    return HWY_DYNAMIC_DISPATCH(argmax)(values.data(), values.size());
}

void rope(RopeKind kind, std::span<const float> cosines, std::span<const float> sines, std::size_t headDim,
          std::span<float> heads)
{
    assert(sines.size() == cosines.size() && 2 * cosines.size() <= headDim && heads.size() % headDim == 0);
    HWY_DYNAMIC_DISPATCH(rope)(kind, cosines.data(), sines.data(), cosines.size(), headDim, heads);
}

} // namespace vitrine::kernels
#endif // HWY_ONCE
