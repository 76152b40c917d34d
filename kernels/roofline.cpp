// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/simd.h"

#include "kernels/roofline.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/roofline.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each target.
#include <hwy/highway.h>

#include "kernels/matmul_backend.h"

#include <cassert>

HWY_BEFORE_NAMESPACE();
namespace vitrine::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::CappedTag<std::uint64_t, 8>;

/// Four registers at once, so that no read waits for the one before.
std::uint64_t readThrough(const std::uint64_t* words, std::size_t count)
{
    const Words d;
    const std::size_t step = hn::Lanes(d);
    auto a = hn::Zero(d);
    auto b = a;
    auto c = a;
    auto e = a;
    for (std::size_t i = 0; i < count; i += 4 * step) {
        a = hn::Xor(a, hn::Load(d, words + i));
        b = hn::Xor(b, hn::Load(d, words + i + step));
        c = hn::Xor(c, hn::Load(d, words + i + 2 * step));
        e = hn::Xor(e, hn::Load(d, words + i + 3 * step));
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Xor(hn::Xor(a, b), hn::Xor(c, e))));
}

} // namespace
} // namespace vitrine::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::kernels {
namespace {

HWY_EXPORT(readThrough);

} // namespace

std::uint64_t readThrough(std::span<const std::byte> bytes)
{
    assert(bytes.size() % 256 == 0 && reinterpret_cast<std::uintptr_t>(bytes.data()) % 64 == 0);
    return HWY_DYNAMIC_DISPATCH(readThrough)(reinterpret_cast<const std::uint64_t*>(bytes.data()),
                                             bytes.size() / 8);
}

std::uint64_t spinDotProducts(std::uint64_t rounds)
{
    return matmulBackends().front()->spin(rounds);
}

} // namespace vitrine::kernels
#endif // HWY_ONCE
