// SPDX-License-Identifier: GPL-3.0-or-later
// What a tile of keys and values does to up to 8 query rows: scores, softmax, weighted values. Included by
// attention.cpp once for each of Highway's targets, as its own "-inl.h" files are.
#if defined(VITRINE_ATTENTION_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRINE_ATTENTION_TILE_INL_H
#undef VITRINE_ATTENTION_TILE_INL_H
#else
#define VITRINE_ATTENTION_TILE_INL_H
#endif

#include "kernels/attention_tile.h"

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace vitrine::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace attention_detail;
using Keys = hn::CappedTag<float, kKeyGroup>;
constexpr std::size_t kLanes = hn::MaxLanes(Keys());
/// Sums that are kept in registers at once; the others hold keys or values and a broadcast.
constexpr std::size_t kSums = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 16 : 8;

template<class D>
HWY_INLINE hn::Vec<D> load(D d, const float* from)
{
    return hn::LoadU(d, from);
}

template<class D>
HWY_INLINE hn::Vec<D> load(D d, const hwy::float16_t* from)
{
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<hwy::float16_t, D>(), from));
}

/// Asks for a part of the next tile, into the second cache, while this one is computed: keys and values lie
/// in pieces of some KiB, too short for the hardware to see that they are read in order, and the first cache
/// can wait for fewer lines at a time than the second.
template<class T>
HWY_INLINE void prefetch(const T* from)
{
    __builtin_prefetch(from, 0, 2);
}

/// The tile as floats: where many rows share it, each element is converted once and not once for 8 rows. The
/// conversion is exact, so that the results are the same.
inline const KvTile<float>& asFloats(const KvTile<float>& tile, const KvTile<float>&, std::size_t,
                                     const Scratch&)
{
    return tile;
}

KvTile<float> asFloats(const KvTile<hwy::float16_t>& tile, const KvTile<hwy::float16_t>& ahead,
                       std::size_t headDim, const Scratch& scratch)
{
    const Keys d;
    const hn::CappedTag<float, 8> few; // head_dim is a multiple of 8
    KvTile<float> out;
    out.keyStride = kKeyGroup;
    out.begin = tile.begin;
    out.count = tile.count;
    for (std::size_t g = 0; g < out.keys.size(); ++g) {
        float* group = scratch.keys + g * kKeyGroup * headDim;
        out.keys[g] = group;
        for (std::size_t element = 0; element < headDim; ++element)
            for (std::size_t i = 0; i < kKeyGroup; i += kLanes) {
                prefetch(ahead.keys[g] + element * ahead.keyStride + i);
                hn::StoreU(load(d, tile.keys[g] + element * tile.keyStride + i), d,
                           group + element * kKeyGroup + i);
            }
    }
    for (std::size_t key = tile.begin; key < tile.count; ++key) {
        float* row = scratch.values + key * headDim;
        out.values[key] = row;
        std::size_t element = 0;
        for (; element + kLanes <= headDim; element += kLanes) {
            prefetch(ahead.values[key] + element);
            hn::StoreU(load(d, tile.values[key] + element), d, row + element);
        }
        for (; element < headDim; element += hn::Lanes(few))
            hn::StoreU(load(few, tile.values[key] + element), few, row + element);
    }
    return out;
}

/// weights[row][key] = scale * query · key for kRows rows and the keys of the tile, from and to whole
/// registers.
template<std::size_t kRows, class T>
HWY_INLINE void scoreTile(const KvTile<T>& tile, const KvTile<T>& ahead, const float* HWY_RESTRICT queries,
                          std::size_t headDim, float scale, float* HWY_RESTRICT weights)
{
    const Keys d;
    // A power of two, so that whole steps make up a tile.
    constexpr std::size_t kAtOnce =
        std::min(kTileKeys / kLanes, std::bit_floor(std::max(std::size_t{1}, kSums / kRows)));
    constexpr std::size_t kStep = kAtOnce * kLanes;
    for (std::size_t key = tile.begin / kStep * kStep; key < tile.count; key += kStep) {
        hn::Vec<Keys> sums[kAtOnce][kRows];
        const T* keys[kAtOnce];
        const T* keysAhead[kAtOnce];
        for (std::size_t i = 0; i < kAtOnce; ++i) {
            const std::size_t first = key + i * kLanes;
            keys[i] = tile.keys[first / kKeyGroup] + first % kKeyGroup;
            keysAhead[i] = ahead.keys[first / kKeyGroup] + first % kKeyGroup;
            for (auto& sum : sums[i])
                sum = hn::Zero(d);
        }
        for (std::size_t element = 0; element < headDim; ++element)
            for (std::size_t i = 0; i < kAtOnce; ++i) {
                prefetch(keysAhead[i] + element * ahead.keyStride);
                const auto k = load(d, keys[i] + element * tile.keyStride);
                for (std::size_t row = 0; row < kRows; ++row)
                    sums[i][row] = hn::MulAdd(hn::Set(d, queries[element * kRowTile + row]), k, sums[i][row]);
            }
        for (std::size_t i = 0; i < kAtOnce; ++i)
            for (std::size_t row = 0; row < kRows; ++row)
                hn::StoreU(hn::Mul(sums[i][row], hn::Set(d, scale)), d,
                           weights + row * kTileKeys + key + i * kLanes);
    }
}

/// scores = cap * tanh(scores / cap)
HWY_INLINE void capRow(float cap, const KeyRange& keys, float* HWY_RESTRICT scores)
{
    const Keys d;
    for (std::size_t key = keys.begin / kLanes * kLanes; key < keys.end; key += kLanes) {
        const auto score = hn::Mul(hn::LoadU(d, scores + key), hn::Set(d, 1 / cap));
        hn::StoreU(hn::Mul(hn::Tanh(d, score), hn::Set(d, cap)), d, scores + key);
    }
}

/// Scores from `first`, the start of a register, to `end` become minus infinity unless they are in `keys`.
HWY_INLINE void maskRegisters(const KeyRange& keys, std::size_t first, std::size_t end,
                              float* HWY_RESTRICT scores)
{
    const Keys d;
    for (std::size_t key = first; key < end; key += kLanes) {
        const auto places = hn::Iota(d, static_cast<float>(key));
        const auto valid = hn::And(hn::Ge(places, hn::Set(d, static_cast<float>(keys.begin))),
                                   hn::Lt(places, hn::Set(d, static_cast<float>(keys.end))));
        const auto score = hn::IfThenElse(valid, hn::LoadU(d, scores + key), hn::Set(d, kMinusInfinity));
        hn::StoreU(score, d, scores + key);
    }
}

/// The greatest of a tile's scores; those outside `keys` become minus infinity, whose weight is 0.
HWY_INLINE float maskRow(const KeyRange& keys, float* HWY_RESTRICT scores)
{
    const Keys d;
    maskRegisters(keys, 0, keys.begin, scores);
    maskRegisters(keys, keys.end / kLanes * kLanes, kTileKeys, scores);
    auto greatest = hn::LoadU(d, scores);
    for (std::size_t key = kLanes; key < kTileKeys; key += kLanes)
        greatest = hn::Max(greatest, hn::LoadU(d, scores + key));
    return hn::GetLane(hn::MaxOfLanes(d, greatest));
}

/// exp(x) for x <= 0, minus infinity included; 0 where the result would not be a normal number. 2^x is 2^n,
/// made of bits, times a polynomial of what is left of x, -0.5 … 0.5 (through 1 at 0 and at the Chebyshev
/// nodes of 6 more points: relative error below 2^-27).
template<class D>
HWY_INLINE hn::Vec<D> expOfNegative(D d, hn::Vec<D> x)
{
    constexpr float kLog2E = 1.44269504F;
    constexpr float kLog2ERest = 1.92596303e-8F; // log2(e) minus the float above
    constexpr float kRound = 12582912.0F;        // 1.5 * 2^23: what is added to it loses its fraction
    const auto scaled = hn::Mul(x, hn::Set(d, kLog2E));
    const auto shifted = hn::Add(scaled, hn::Set(d, kRound));
    const auto whole = hn::Sub(shifted, hn::Set(d, kRound));
    const auto rest = hn::MulAdd(x, hn::Set(d, kLog2ERest), hn::MulSub(x, hn::Set(d, kLog2E), whole));
    auto power = hn::Set(d, 1.54531629e-4F);
    for (const float factor :
         {1.33908634e-3F, 9.61808256e-3F, 5.55035711e-2F, 0.240226508F, 0.693147188F, 1.0F})
        power = hn::MulAdd(power, rest, hn::Set(d, factor));
    const hn::RebindToSigned<D> bits;
    const auto exponent = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
    const auto result = hn::BitCast(d, hn::Add(hn::BitCast(bits, power), exponent));
    return hn::IfThenElseZero(hn::Gt(scaled, hn::Set(d, -126.0F)), result);
}

/// scores = exp(scores - greatest); sums, one for each place in a register, shrink and grow by them.
HWY_INLINE void exponentials(float greatest, float shrink, float* HWY_RESTRICT scores,
                             float* HWY_RESTRICT sums)
{
    const Keys d;
    auto sum = hn::Mul(hn::LoadU(d, sums), hn::Set(d, shrink));
    for (std::size_t key = 0; key < kTileKeys; key += kLanes) {
        const auto weight = expOfNegative(d, hn::Sub(hn::LoadU(d, scores + key), hn::Set(d, greatest)));
        hn::StoreU(weight, d, scores + key);
        sum = hn::Add(sum, weight);
    }
    hn::StoreU(sum, d, sums);
}

HWY_INLINE float sumOfLanes(const float* sums)
{
    const Keys d;
    return hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, sums)));
}

HWY_INLINE float exponential(float x)
{
    const hn::CappedTag<float, 1> d;
    return hn::GetLane(expOfNegative(d, hn::Set(d, x)));
}

/// What one tile does to 8 rows, side by side.
struct RowSteps {
    float greatest[kRowTile] = {}; ///< score so far, this tile's included
    float shift[kRowTile];         ///< what is subtracted from this tile's scores
    float shrink[kRowTile]; ///< what the row's earlier values are multiplied with, as its maximum has grown
};

HWY_INLINE void stepRows(const float* HWY_RESTRICT maxima, RowSteps& steps)
{
    const hn::CappedTag<float, kRowTile> d;
    for (std::size_t row = 0; row < kRowTile; row += hn::Lanes(d)) {
        const auto before = hn::LoadU(d, maxima + row);
        const auto greatest = hn::Max(before, hn::LoadU(d, steps.greatest + row));
        // A row that sees none of the keys, so far or at all, has only minus infinities: any finite shift
        // will do.
        const auto isEmpty = hn::Eq(greatest, hn::Set(d, kMinusInfinity));
        const auto shift = hn::IfThenZeroElse(isEmpty, greatest);
        const auto shrink = hn::IfThenElse(hn::Eq(before, greatest), hn::Set(d, 1.0F),
                                           expOfNegative(d, hn::Sub(before, shift)));
        hn::StoreU(greatest, d, steps.greatest + row);
        hn::StoreU(shift, d, steps.shift + row);
        hn::StoreU(shrink, d, steps.shrink + row);
    }
}

/// Turns scores into weights and renews each row's maximum and sum.
template<std::size_t kRows>
HWY_INLINE void softmaxTile(const KeyRange (&keys)[kRows], float* HWY_RESTRICT weights,
                            float* HWY_RESTRICT maxima, float* HWY_RESTRICT sums, RowSteps& steps)
{
    for (std::size_t row = 0; row < kRows; ++row)
        steps.greatest[row] = maskRow(keys[row], weights + row * kTileKeys);
    stepRows(maxima, steps);
    for (std::size_t row = 0; row < kRows; ++row) {
        exponentials(steps.shift[row], steps.shrink[row], weights + row * kTileKeys, sums + row * kKeyGroup);
        maxima[row] = steps.greatest[row];
    }
}

/// sums[row] = shrink[row] * sums[row] + sum over keys of weight * value, for kAtOnce registers of head_dim.
template<std::size_t kRows, std::size_t kAtOnce, class D, class T>
HWY_INLINE void addValues(D d, const KvTile<T>& tile, const KvTile<T>& ahead,
                          const float* HWY_RESTRICT weights, const float* HWY_RESTRICT shrink,
                          std::size_t headDim, std::size_t element, float* HWY_RESTRICT sums)
{
    const std::size_t lanes = hn::Lanes(d);
    hn::Vec<D> rows[kRows][kAtOnce];
    for (std::size_t row = 0; row < kRows; ++row)
        for (std::size_t i = 0; i < kAtOnce; ++i)
            rows[row][i] =
                hn::Mul(hn::LoadU(d, sums + row * headDim + element + i * lanes), hn::Set(d, shrink[row]));
    for (std::size_t key = tile.begin; key < tile.count; ++key)
        for (std::size_t i = 0; i < kAtOnce; ++i) {
            prefetch(ahead.values[key] + element + i * lanes);
            const auto value = load(d, tile.values[key] + element + i * lanes);
            for (std::size_t row = 0; row < kRows; ++row)
                rows[row][i] = hn::MulAdd(hn::Set(d, weights[row * kTileKeys + key]), value, rows[row][i]);
        }
    for (std::size_t row = 0; row < kRows; ++row)
        for (std::size_t i = 0; i < kAtOnce; ++i)
            hn::StoreU(rows[row][i], d, sums + row * headDim + element + i * lanes);
}

template<std::size_t kRows, class T>
HWY_INLINE void addTileValues(const KvTile<T>& tile, const KvTile<T>& ahead, const float* weights,
                              const float* shrink, std::size_t headDim, float* sums)
{
    constexpr std::size_t kAtOnce = std::min<std::size_t>(4, std::max<std::size_t>(1, kSums / kRows));
    std::size_t element = 0;
    for (; element + kAtOnce * kLanes <= headDim; element += kAtOnce * kLanes)
        addValues<kRows, kAtOnce>(Keys(), tile, ahead, weights, shrink, headDim, element, sums);
    for (; element + kLanes <= headDim; element += kLanes)
        addValues<kRows, 1>(Keys(), tile, ahead, weights, shrink, headDim, element, sums);
    if (element < headDim) // head_dim is a multiple of 8
        addValues<kRows, 1>(hn::CappedTag<float, 8>(), tile, ahead, weights, shrink, headDim, element, sums);
}

/// Rows first … of a row block meet one tile. queries: theirs, [head_dim][8 rows]; keys[row]: which of the
/// tile's keys the row sees.
template<class T, std::size_t kRows>
void attendTile(const KvTile<T>& tile, const KvTile<T>& ahead, const float* queries, const KeyRange* keys,
                std::size_t first, const AttentionShape& shape, const Scratch& scratch)
{
    const std::size_t headDim = shape.layout.headDim;
    KeyRange seen[kRows];
    std::copy_n(keys, kRows, seen);
    RowSteps steps;
    scoreTile<kRows>(tile, ahead, queries, headDim, shape.scale, scratch.weights);
    if (shape.softCap > 0)
        for (std::size_t row = 0; row < kRows; ++row)
            capRow(shape.softCap, keys[row], scratch.weights + row * kTileKeys);
    softmaxTile<kRows>(seen, scratch.weights, scratch.spanMax + first, scratch.laneSums + first * kKeyGroup,
                       steps);
    addTileValues<kRows>(tile, ahead, scratch.weights, steps.shrink, headDim, scratch.sums + first * headDim);
}

template<class T>
using TileFunction = void (*)(const KvTile<T>&, const KvTile<T>&, const float*, const KeyRange*, std::size_t,
                              const AttentionShape&, const Scratch&);

/// attendTile for 1 … 8 rows.
template<class T, std::size_t... kRowsMinusOne>
constexpr auto tileFunctions(std::index_sequence<kRowsMinusOne...>)
{
    return std::array<TileFunction<T>, sizeof...(kRowsMinusOne)>{&attendTile<T, kRowsMinusOne + 1>...};
}

} // namespace
} // namespace vitrine::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // per-target include guard
