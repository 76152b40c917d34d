// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/simd.h"

#include "kernels/half.h"
#include "kernels/kv_layout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kv_layout.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each target.
#include <hwy/highway.h>

#include <algorithm>
#include <cassert>

HWY_BEFORE_NAMESPACE();
namespace vitrine::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
/// Head sizes are multiples of 8.
using Floats = hn::CappedTag<float, 8>;

/// Whether the hardware converts: Highway's own conversion for the other targets does not round ties to even.
constexpr bool kConverts = HWY_TARGET != HWY_SSE4 && hn::MaxLanes(Floats()) > 1;

void convert(const float* HWY_RESTRICT from, std::size_t size, float* HWY_RESTRICT to)
{
    std::copy_n(from, size, to);
}

void convert(const float* HWY_RESTRICT from, std::size_t size, std::uint16_t* HWY_RESTRICT to)
{
    if constexpr (kConverts) {
        const hn::Rebind<hwy::float16_t, Floats> halves;
        for (std::size_t i = 0; i < size; i += hn::Lanes(halves))
            hn::StoreU(hn::DemoteTo(halves, hn::LoadU(Floats(), from + i)), halves,
                       reinterpret_cast<hwy::float16_t*>(to + i));
    } else {
        std::transform(from, from + size, to, floatToHalf);
    }
}

/// One token's K and V into a slot of its block.
template<class T>
void storeHeads(const KvLayout& layout, KvMemory memory, std::size_t block, std::size_t slot,
                const float* key, const float* value)
{
    for (std::size_t h = 0; h < layout.kvHeads; ++h) {
        T* keys = reinterpret_cast<T*>(memory.keys) + layout.headStart(block, h) + slot;
        T* values = reinterpret_cast<T*>(memory.values) + layout.headStart(block, h) + slot * layout.headDim;
        convert(value + h * layout.headDim, layout.headDim, values);
        T converted[kMaxHeadDim];
        convert(key + h * layout.headDim, layout.headDim, converted);
        for (std::size_t d = 0; d < layout.headDim; ++d)
            keys[d * layout.blockSize] = converted[d];
    }
}

void store(const KvLayout& layout, KvMemory memory, std::size_t block, std::size_t slot, const float* key,
           const float* value)
{
    if (layout.type == KvType::F16)
        storeHeads<std::uint16_t>(layout, memory, block, slot, key, value);
    else
        storeHeads<float>(layout, memory, block, slot, key, value);
}

} // namespace
} // namespace vitrine::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::kernels {
namespace {

HWY_EXPORT(store);

} // namespace

void storeKv(const KvLayout& layout, KvMemory memory, std::int64_t slot, std::span<const float> key,
             std::span<const float> value)
{
    assert(slot >= 0 && key.size() == layout.kvHeads * layout.headDim && value.size() == key.size());
    assert(layout.headDim % 8 == 0 && layout.headDim <= kMaxHeadDim);
    const auto place = static_cast<std::size_t>(slot);
    HWY_DYNAMIC_DISPATCH(store)
    (layout, memory, place / layout.blockSize, place % layout.blockSize, key.data(), value.data());
}

} // namespace vitrine::kernels
#endif // HWY_ONCE
