// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of attention: its fixed sizes, the scratch memory, and how keys and values are found through block
// tables.
#pragma once
#include "kernels/attention.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace vitrine::kernels::attention_detail {

inline constexpr std::size_t kTileKeys = 64;
inline constexpr std::size_t kSpanKeys = 512;
/// Keys that one register holds at most, and that lie side by side in a block of the usual sizes.
inline constexpr std::size_t kKeyGroup = 16;
/// Query rows (a token's head each) that share each register of keys or values.
inline constexpr std::size_t kRowTile = 8;
/// Query rows that pass over a tile of keys and values once it has been found and converted.
inline constexpr std::size_t kRowBlock = 128;
/// Above so many query rows a tile is converted to floats once and not once for each 8 of them.
inline constexpr std::size_t kConvertedRows = 32;

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// The caller's scratch, divided.
struct Scratch {
    float* queries;  ///< [row tile][head_dim][8 rows]
    float* sums;     ///< [row][head_dim] of the span under way
    float* totals;   ///< [row][head_dim] of the spans before it
    float* keys;     ///< a tile of keys as floats
    float* values;   ///< a tile of values as floats
    float* spare;    ///< two tiles of keys, where the block size does not leave 16 of them side by side
    float* weights;  ///< [8 rows][64 keys]
    float* spanMax;  ///< [row], greatest score so far
    float* spanSum;  ///< [row], sum of exp(score - spanMax)
    float* laneSums; ///< [row][16], the same while it is computed: one sum for each place in a register
    float* totalMax;
    float* totalSum;

    Scratch(std::span<float> memory, std::size_t headDim)
    {
        float* next = memory.data();
        const auto take = [&next](std::size_t count) { return std::exchange(next, next + count); };
        queries = take(kRowBlock * headDim);
        sums = take(kRowBlock * headDim);
        totals = take(kRowBlock * headDim);
        keys = take(kTileKeys * headDim);
        values = take(kTileKeys * headDim);
        spare = take(2 * kTileKeys * headDim);
        weights = take(kRowTile * kTileKeys);
        spanMax = take(kRowBlock);
        spanSum = take(kRowBlock);
        laneSums = take(kRowBlock * kKeyGroup);
        totalMax = take(kRowBlock);
        totalSum = take(kRowBlock);
    }

    static constexpr std::size_t floats(std::size_t headDim)
    {
        return (3 * kRowBlock + 4 * kTileKeys) * headDim + kRowTile * kTileKeys + (4 + kKeyGroup) * kRowBlock;
    }
};

/// What the keys of one span bring to some query rows. Float is const where it is only read.
template<class Float>
struct SpanResult {
    Float* sums;    ///< [row][head_dim], sum of weight * value
    Float* maxima;  ///< [row], greatest score; minus infinity for a row that sees none of the keys
    Float* weights; ///< [row], sum of the weights exp(score - maximum)
};

constexpr std::size_t spanResultFloats(std::size_t rows, std::size_t headDim)
{
    return rows * (headDim + 2);
}

template<class Float>
SpanResult<Float> spanResultIn(Float* memory, std::size_t rows, std::size_t headDim)
{
    return {memory, memory + rows * headDim, memory + rows * (headDim + 1)};
}

/// Up to 64 consecutive positions of one sequence, found through its block table.
template<class T>
struct KvTile {
    std::array<const T*, kTileKeys / kKeyGroup>
        keys; ///< group g, element d of its key i: keys[g][d * keyStride + i]
    std::size_t keyStride;
    std::array<const T*, kTileKeys> values; ///< [position][head_dim]
    std::size_t begin;                      ///< keys before it are seen by no row and may hold anything
    std::size_t count;
};

/// Some of a tile's keys, or of a sequence's.
struct KeyRange {
    std::size_t begin;
    std::size_t end;
};

/// Query rows of an item in the order (token, head), and the positions that each sees.
struct QueryRows {
    const AttentionShape& shape;
    const AttentionItem& item;

    [[nodiscard]] std::size_t group() const { return shape.heads / shape.layout.kvHeads; }
    [[nodiscard]] std::size_t count() const { return item.rows * group(); }
    [[nodiscard]] KeyRange keysOf(std::size_t row) const
    {
        const std::size_t end = item.firstPosition + row / group() + 1;
        return {shape.window > 0 && end > shape.window ? end - shape.window : 0, end};
    }
    [[nodiscard]] std::size_t offset(std::size_t row, std::size_t stride) const
    {
        return row / group() * stride + row % group() * shape.layout.headDim;
    }
};

/// Copies a key group whose keys are not side by side.
template<class T>
void copyKeys(const KvLayout& layout, const T* keys, const AttentionItem& item, std::size_t first,
              std::size_t count, T* out)
{
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t block = item.blockTable[(first + i) / layout.blockSize];
        const T* key = keys + layout.headStart(block, item.kvHead) + (first + i) % layout.blockSize;
        for (std::size_t d = 0; d < layout.headDim; ++d)
            out[d * kKeyGroup + i] = key[d * layout.blockSize];
    }
}

template<class T>
void findKeys(const KvLayout& layout, const T* keys, const AttentionItem& item, std::size_t start, T* spare,
              KvTile<T>& tile)
{
    const bool sideBySide = layout.blockSize % kKeyGroup == 0;
    tile.keyStride = sideBySide ? layout.blockSize : kKeyGroup;
    for (std::size_t g = 0; g < tile.keys.size(); ++g) {
        const std::size_t first = start + g * kKeyGroup;
        if (first >= start + tile.count) {
            tile.keys[g] = tile.keys[0]; // may be computed, is never used
        } else if (sideBySide) {
            const std::size_t block = item.blockTable[first / layout.blockSize];
            tile.keys[g] = keys + layout.headStart(block, item.kvHead) + first % layout.blockSize;
        } else {
            T* copy = spare + g * kKeyGroup * layout.headDim;
            copyKeys(layout, keys, item, first, std::min(kKeyGroup, start + tile.count - first), copy);
            tile.keys[g] = copy;
        }
    }
}

template<class T>
void findValues(const KvLayout& layout, const T* values, const AttentionItem& item, std::size_t start,
                KvTile<T>& tile)
{
    for (std::size_t i = 0; i < tile.count;) {
        const std::size_t slot = (start + i) % layout.blockSize;
        const std::size_t block = item.blockTable[(start + i) / layout.blockSize];
        const T* row = values + layout.headStart(block, item.kvHead) + slot * layout.headDim;
        const std::size_t run = std::min(layout.blockSize - slot, tile.count - i);
        for (const std::size_t end = i + run; i < end; ++i, row += layout.headDim)
            tile.values[i] = row;
    }
    std::fill(tile.values.begin() + static_cast<std::ptrdiff_t>(tile.count), tile.values.end(),
              tile.values[0]);
}

} // namespace vitrine::kernels::attention_detail
