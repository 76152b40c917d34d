// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax without keeping the scores (arXiv:2205.14135), in steps that are fixed by position alone:
// - tiles of 64 keys, starting at multiples of 64: scores, running maximum and sum, weighted values;
// - spans of 512 keys: each starts afresh, its result is merged into the row's total from left to right.
// Threads may therefore share the spans of one long context (split-K) without changing a bit.
// Inside a tile a score is summed over head_dim from first to last, an output element over keys by position.
#include "kernels/simd.h"

#include "kernels/attention.h"
#include "kernels/attention_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it includes this file once for each target.
#include <hwy/highway.h>

#include "kernels/attention_tile-inl.h"

#include <algorithm>
#include <cassert>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace vitrine::kernels::HWY_NAMESPACE {
namespace {

/// One block of query rows: begin … begin + count.
template<class T>
class RowBlock {
public:
    RowBlock(const QueryRows& rows, std::size_t begin, std::size_t count, const Scratch& scratch)
        : m_rows(rows)
        , m_layout(rows.shape.layout)
        , m_begin(begin)
        , m_count(count)
        , m_tileRows(evenTileRows(count))
        , m_scratch(scratch)
    {
    }

    void attend(KvMemory memory) const
    {
        transposeQueries();
        for (std::size_t span = firstSpan(); span < end(); span += kSpanKeys) {
            computeSpan(memory, span);
            mergeSpan(span, {m_scratch.sums, m_scratch.spanMax, m_scratch.spanSum});
        }
        writeOut();
    }

    void attendSpan(KvMemory memory, std::size_t span, const SpanResult<float>& result) const
    {
        transposeQueries();
        computeSpan(memory, span);
        std::copy_n(m_scratch.sums, m_count * m_layout.headDim, result.sums + m_begin * m_layout.headDim);
        std::copy_n(m_scratch.spanMax, m_count, result.maxima + m_begin);
        std::copy_n(m_scratch.spanSum, m_count, result.weights + m_begin);
    }

    /// resultOf(span): what attendSpan left there.
    template<class F>
    void mergeSpans(const F& resultOf) const
    {
        for (std::size_t span = firstSpan(); span < end(); span += kSpanKeys) {
            const SpanResult<const float> result = resultOf(span);
            mergeSpan(span, {result.sums + m_begin * m_layout.headDim, result.maxima + m_begin,
                             result.weights + m_begin});
        }
        writeOut();
    }

private:
    /// The keys that any of the rows sees: the first row's window begins first, the last row sees most.
    [[nodiscard]] std::size_t begin() const { return m_rows.keysOf(m_begin).begin; }
    [[nodiscard]] std::size_t end() const { return m_rows.keysOf(m_begin + m_count - 1).end; }
    [[nodiscard]] std::size_t firstSpan() const { return begin() / kSpanKeys * kSpanKeys; }

    void computeSpan(KvMemory memory, std::size_t span) const
    {
        startSpan();
        const std::size_t first = std::max(span, begin() / kTileKeys * kTileKeys);
        const std::size_t stop = std::min(span + kSpanKeys, end());
        if (first >= stop) // these rows see nothing of it
            return endSpan();
        KvTile<T> tile = findTile(memory, first, spare(first));
        for (std::size_t start = first; start < stop; start += kTileKeys) {
            const std::size_t next = start + kTileKeys;
            const KvTile<T> ahead = next < end() ? findTile(memory, next, spare(next)) : tile;
            attendKeys(tile, ahead, start);
            tile = ahead;
        }
        endSpan();
    }

    [[nodiscard]] T* spare(std::size_t start) const
    {
        return reinterpret_cast<T*>(m_scratch.spare) + start / kTileKeys % 2 * kTileKeys * m_layout.headDim;
    }

    /// Up to 8, and as even as can be: a register of keys or values that meets few rows is hardly worth its
    /// load.
    [[nodiscard]] static std::size_t evenTileRows(std::size_t count)
    {
        const std::size_t tiles = (count + kRowTile - 1) / kRowTile;
        return (count + tiles - 1) / tiles;
    }

    [[nodiscard]] float* queriesOf(std::size_t row) const
    {
        return m_scratch.queries + row / m_tileRows * kRowTile * m_layout.headDim;
    }

    /// So that the elements of 8 rows which meet one key element lie side by side.
    void transposeQueries() const
    {
        for (std::size_t r = 0; r < m_count; ++r) {
            const float* query = m_rows.item.queries + m_rows.offset(m_begin + r, m_rows.item.queryStride);
            float* out = queriesOf(r) + r % m_tileRows;
            for (std::size_t d = 0; d < m_layout.headDim; ++d)
                out[d * kRowTile] = query[d];
        }
    }

    void startSpan() const
    {
        std::fill_n(m_scratch.sums, m_count * m_layout.headDim, 0.0F);
        std::fill_n(m_scratch.spanMax, m_count, kMinusInfinity);
        std::fill_n(m_scratch.laneSums, m_count * kKeyGroup, 0.0F);
    }

    void endSpan() const
    {
        for (std::size_t r = 0; r < m_count; ++r)
            m_scratch.spanSum[r] = sumOfLanes(m_scratch.laneSums + r * kKeyGroup);
    }

    /// The keys from `start` on, a multiple of the tile's size: as many as there are, up to a tile.
    [[nodiscard]] KvTile<T> findTile(KvMemory memory, std::size_t start, T* spare) const
    {
        KvTile<T> tile;
        tile.begin = begin() <= start ? 0 : begin() - start;
        tile.count = std::min(kTileKeys, end() - start);
        findKeys(m_layout, reinterpret_cast<const T*>(memory.keys), m_rows.item, start, spare, tile);
        findValues(m_layout, reinterpret_cast<const T*>(memory.values), m_rows.item, start, tile);
        return tile;
    }

    void attendKeys(const KvTile<T>& tile, const KvTile<T>& ahead, std::size_t start) const
    {
        if (m_count > kConvertedRows) {
            const KvTile<float> floats = asFloats(tile, ahead, m_layout.headDim, m_scratch);
            attendRows(floats, floats, start);
        } else {
            attendRows(tile, ahead, start);
        }
    }

    template<class Element>
    void attendRows(KvTile<Element> tile, const KvTile<Element>& ahead, std::size_t start) const
    {
        static constexpr auto kTiles = tileFunctions<Element>(std::make_index_sequence<kRowTile>());
        for (std::size_t first = 0; first < m_count; first += m_tileRows) {
            const std::size_t rows = std::min(m_tileRows, m_count - first);
            KeyRange keys[kRowTile];
            for (std::size_t r = 0; r < rows; ++r)
                keys[r] = keysInTile(first + r, start);
            tile.begin = keys[0].begin; // the first row's window begins first, the last row sees most
            tile.count = keys[rows - 1].end;
            if (tile.begin < tile.count)
                kTiles[rows - 1](tile, ahead, queriesOf(first), keys, first, m_rows.shape, m_scratch);
        }
    }

    [[nodiscard]] KeyRange keysInTile(std::size_t row, std::size_t start) const
    {
        const auto inTile = [start](std::size_t key) {
            return key <= start ? 0 : std::min(kTileKeys, key - start);
        };
        const KeyRange keys = m_rows.keysOf(m_begin + row);
        return {inTile(keys.begin), inTile(keys.end)};
    }

    void mergeSpan(std::size_t span, const SpanResult<const float>& result) const
    {
        for (std::size_t r = 0; r < m_count; ++r) {
            const KeyRange keys = m_rows.keysOf(m_begin + r);
            if (keys.end <= span || span + kSpanKeys <= keys.begin)
                continue; // this row sees none of the span
            const bool isFirst = keys.begin >= span;
            const float before = isFirst ? kMinusInfinity : m_scratch.totalMax[r];
            const float greatest = std::max(before, result.maxima[r]);
            const float keep = isFirst ? 0.0F : exponential(before - greatest);
            const float add = exponential(result.maxima[r] - greatest);
            mergeRow(isFirst, keep, add, r, result);
            m_scratch.totalMax[r] = greatest;
        }
    }

    void mergeRow(bool isFirst, float keep, float add, std::size_t r,
                  const SpanResult<const float>& result) const
    {
        const std::size_t headDim = m_layout.headDim;
        float* total = m_scratch.totals + r * headDim;
        const float* sums = result.sums + r * headDim;
        for (std::size_t d = 0; d < headDim; ++d)
            total[d] = isFirst ? sums[d] : total[d] * keep + sums[d] * add;
        m_scratch.totalSum[r] =
            isFirst ? result.weights[r] : m_scratch.totalSum[r] * keep + result.weights[r] * add;
    }

    /// Adding zero makes a negative zero positive: one that underflow left need not be there in other
    /// company.
    void writeOut() const
    {
        for (std::size_t r = 0; r < m_count; ++r) {
            float* out = m_rows.item.out + m_rows.offset(m_begin + r, m_rows.item.outStride);
            const float* total = m_scratch.totals + r * m_layout.headDim;
            const float inverse = 1 / m_scratch.totalSum[r];
            for (std::size_t d = 0; d < m_layout.headDim; ++d)
                out[d] = total[d] * inverse + 0.0F;
        }
    }

    const QueryRows& m_rows;
    const KvLayout& m_layout;
    std::size_t m_begin;
    std::size_t m_count;
    std::size_t m_tileRows;
    const Scratch& m_scratch;
};

/// work(block) for each block of an item's query rows.
template<class F>
void forEachRowBlock(const QueryRows& rows, const Scratch& scratch, const F& work)
{
    const bool isHalf = rows.shape.layout.type == KvType::F16;
    for (std::size_t begin = 0; begin < rows.count(); begin += kRowBlock) {
        const std::size_t count = std::min(kRowBlock, rows.count() - begin);
        if (isHalf)
            work(RowBlock<hwy::float16_t>(rows, begin, count, scratch));
        else
            work(RowBlock<float>(rows, begin, count, scratch));
    }
}

void attend(const AttentionShape& shape, KvMemory memory, const AttentionItem& item, std::span<float> scratch)
{
    const QueryRows rows{shape, item};
    forEachRowBlock(rows, Scratch(scratch, shape.layout.headDim),
                    [&](const auto& block) HWY_ATTR { block.attend(memory); });
}

void attendSpan(const AttentionShape& shape, KvMemory memory, const AttentionItem& item, std::size_t span,
                std::span<float> scratch, std::span<float> partial)
{
    const QueryRows rows{shape, item};
    const SpanResult<float> result = spanResultIn(partial.data(), rows.count(), shape.layout.headDim);
    forEachRowBlock(rows, Scratch(scratch, shape.layout.headDim),
                    [&](const auto& block) HWY_ATTR { block.attendSpan(memory, span * kSpanKeys, result); });
}

void mergeSpans(const AttentionShape& shape, const AttentionItem& item, std::span<const float> partials,
                std::span<float> scratch)
{
    const QueryRows rows{shape, item};
    const std::size_t headDim = shape.layout.headDim;
    const std::size_t partialFloats = spanResultFloats(rows.count(), headDim);
    const auto resultOf = [&](std::size_t firstKey) {
        return spanResultIn(partials.data() + firstKey / kSpanKeys * partialFloats, rows.count(), headDim);
    };
    forEachRowBlock(rows, Scratch(scratch, headDim),
                    [&](const auto& block) HWY_ATTR { block.mergeSpans(resultOf); });
}

} // namespace
} // namespace vitrine::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::kernels {
namespace {

HWY_EXPORT(attend);
HWY_EXPORT(attendSpan);
HWY_EXPORT(mergeSpans);

[[maybe_unused]] bool isSound(const AttentionShape& shape, std::span<const float> scratch)
{
    return shape.layout.headDim % 8 == 0 && shape.layout.headDim <= kMaxHeadDim &&
           shape.heads % shape.layout.kvHeads == 0 && scratch.size() >= attentionScratchFloats(shape);
}

} // namespace

std::size_t attentionScratchFloats(const AttentionShape& shape) noexcept
{
    return attention_detail::Scratch::floats(shape.layout.headDim);
}

void attention(const AttentionShape& shape, KvMemory memory, const AttentionItem& item,
               std::span<float> scratch)
{
    assert(isSound(shape, scratch));
    HWY_DYNAMIC_DISPATCH(attend)(shape, memory, item, scratch);
}

std::size_t attentionSpans(const AttentionItem& item) noexcept
{
    using attention_detail::kSpanKeys;
    return (item.firstPosition + item.rows + kSpanKeys - 1) / kSpanKeys;
}

std::size_t attentionPartialFloats(std::size_t rows, std::size_t headDim) noexcept
{
    return attention_detail::spanResultFloats(rows, headDim);
}

void attendSpan(const AttentionShape& shape, KvMemory memory, const AttentionItem& item, std::size_t span,
                std::span<float> scratch, std::span<float> partial)
{
    assert(isSound(shape, scratch));
    assert(partial.size() >=
           attentionPartialFloats(attention_detail::QueryRows{shape, item}.count(), shape.layout.headDim));
    HWY_DYNAMIC_DISPATCH(attendSpan)(shape, memory, item, span, scratch, partial);
}

void mergeSpans(const AttentionShape& shape, const AttentionItem& item, std::span<const float> partials,
                std::span<float> scratch)
{
    assert(isSound(shape, scratch));
    HWY_DYNAMIC_DISPATCH(mergeSpans)(shape, item, partials, scratch);
}

} // namespace vitrine::kernels
#endif // HWY_ONCE
