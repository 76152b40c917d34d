// SPDX-License-Identifier: GPL-3.0-or-later
// The integer matrix product, written once for all instruction sets: each matmul_<set>.cpp defines
// VITRINE_SIMD and an Isa (see matmul_generic.cpp for what it must have), then includes this file.
#pragma once
#include "kernels/matmul_walk.h"
#include "kernels/packed_group.h"

#include <array>
#include <utility>

namespace vitrine::kernels {

/// Where the integer sums of kRows activation rows begin: codes are above the values they stand for by
/// kOffset, so the sums start below by as much. Two sums a row are written to memory first: broadcast from
/// there they cost nothing, from general registers two thirds of a dot product (Q3_K and Q6_K become 4 %
/// faster; types with one sum 3 % slower, which keep it in registers).
template<class Format, class Isa, int kRows>
class SumStarts {
public:
    [[gnu::always_inline]] VITRINE_SIMD SumStarts(const ActivationBlock& x, int firstRow)
        : m_x(x)
        , m_firstRow(firstRow)
    {
        if constexpr (kOffset == 0 || kSums == 1)
            return;
        for (int j = 0; j < kRows; ++j)
            for (int half = 0; half < kSums; ++half)
                m_starts[half][j] = -kOffset * x.sumsOf16[half][firstRow + j];
        asm volatile("" : : "r"(m_starts) : "memory"); // or they are kept in general registers all the same
    }

    /// Of columns 16 * half … where there are two sums.
    template<int half>
    [[gnu::always_inline]] VITRINE_SIMD typename Isa::Ints of(int j) const
    {
        if constexpr (kOffset == 0)
            return typename Isa::Ints{};
        else if constexpr (kSums == 1)
            return Isa::broadcastInt(-kOffset *
                                     (m_x.sumsOf16[0][m_firstRow + j] + m_x.sumsOf16[1][m_firstRow + j]));
        else
            return Isa::broadcastInt(m_starts[half][j]);
    }

private:
    static constexpr int kOffset = format::kOffsetFor<typename Format::Codes, Isa>;
    static constexpr int kSums = Format::Scales::kPerBlock;
    const ActivationBlock& m_x;
    int m_firstRow;
    alignas(32) std::int32_t m_starts[kSums][kRows];
};

/// Adds the products of a register of weight rows and activation row firstRow + j over 32 columns.
template<class Format, class Isa, class Starts>
[[gnu::always_inline]] VITRINE_SIMD inline typename Isa::Floats
addBlock(typename Isa::Floats sum, const typename Isa::Bytes (&codes)[8],
         const format::ScaleRegisters<Isa, Format::Scales::kPerBlock>& scales, const ActivationBlock& x,
         int firstRow, int j, const Starts& starts)
{
    using Codes = typename Format::Codes;
    const int row = firstRow + j;
    if constexpr (Format::Scales::kPerBlock == 1) {
        const auto dots = Isa::template dot<Codes>(starts.template of<0>(j), codes, x.values[row]);
        const auto factor = Isa::mul(scales.scale[0], Isa::broadcast(x.scales[row]));
        sum = Isa::mulAdd(factor, Isa::toFloats(dots), sum);
        if constexpr (Format::Scales::kHasMinimum)
            sum = Isa::mulAdd(scales.minimum[0], Isa::broadcast(x.sums[row]), sum);
        return sum;
    } else {
        typename Isa::Ints dots[2] = {starts.template of<0>(j), starts.template of<1>(j)};
        Isa::template dotHalves<Codes>(dots, codes, x.values[row]);
        auto product = Isa::mul(scales.scale[0], Isa::toFloats(dots[0]));
        product = Isa::mulAdd(scales.scale[1], Isa::toFloats(dots[1]), product);
        if constexpr (Format::Scales::kHasMinimum)
            for (int half = 0; half < 2; ++half) {
                const auto xSum = Isa::broadcast(static_cast<float>(x.sumsOf16[half][row]));
                product = Isa::mulAdd(scales.minimum[half], xSum, product);
            }
        return Isa::mulAdd(product, Isa::broadcast(x.scales[row]), sum);
    }
}

/// kParts registers of weight rows from `firstPart` on (each holds Isa::kLanes of the 16) × kRows activation
/// rows from `firstRow` on, over all columns from left to right. Each register of unpacked weights serves all
/// activation rows before the next is loaded.
template<class Format, class Isa, std::size_t kParts, int kRows>
[[gnu::always_inline]] VITRINE_SIMD inline void
multiplyParts(PackedGroup<Format, const std::byte> weights, std::size_t firstPart, std::size_t blocks,
              const ActivationBlock* panel, int firstRow, MatmulTile& out)
{
    typename Isa::Floats sums[kParts][kRows];
    for (auto& part : sums)
        for (auto& sum : part)
            sum = Isa::broadcast(0.0F);
    for (std::size_t b = 0; b < blocks; ++b) {
        // note: with one or two rows the weights pass so quickly that the processor's own prefetching does
        // better alone, except with a byte a code (Q8_0: 5 to 16 % faster; other types a third slower).
        if (kRows > 2 && firstPart == 0 && firstRow == 0)
            weights.prefetch(b);
        if (kRows <= 2 && firstPart == 0 && Format::Codes::kBytes == format::kRows * format::kColumns)
            weights.prefetchFar(b);
        const SumStarts<Format, Isa, kRows> starts(panel[b], firstRow);
        for (std::size_t i = 0; i < kParts; ++i) {
            typename Isa::Bytes codes[8];
            Format::Codes::template load<Isa>(weights.codes(b), firstPart + i, codes);
            format::ScaleRegisters<Isa, Format::Scales::kPerBlock> scales;
            Format::Scales::template load<Isa>(weights.scales(b), firstPart + i, scales);
            for (int j = 0; j < kRows; ++j)
                sums[i][j] = addBlock<Format, Isa>(sums[i][j], codes, scales, panel[b], firstRow, j, starts);
        }
    }
    for (std::size_t i = 0; i < kParts; ++i)
        for (int j = 0; j < kRows; ++j)
            Isa::store(out.values[firstRow + j] + (firstPart + i) * Isa::kLanes, sums[i][j]);
}

/// 16 weight rows × kRows activation rows, in as many steps as the registers of the instruction set ask for.
/// For few rows the weights come from memory: all 16 rows in one step, so that they are read once and in
/// order.
template<class Format, class Isa, int kRows>
VITRINE_SIMD void multiplyTile(const std::byte* group, std::size_t columns, const ActivationBlock* panel,
                               MatmulTile& out)
{
    constexpr std::size_t kAllParts = format::kRows / Isa::kLanes;
    constexpr std::size_t kParts = kRows <= 2 ? kAllParts : 1;
    constexpr int kStep = std::min(kRows, Isa::kTileRows);
    const PackedGroup<Format, const std::byte> weights(group);
    const std::size_t blocks = columns / format::kColumns;
    for (std::size_t part = 0; part < kAllParts; part += kParts) {
        for (int first = 0; first + kStep <= kRows; first += kStep)
            multiplyParts<Format, Isa, kParts, kStep>(weights, part, blocks, panel, first, out);
        if constexpr (kRows % kStep != 0)
            multiplyParts<Format, Isa, kParts, kRows % kStep>(weights, part, blocks, panel,
                                                              kRows / kStep * kStep, out);
    }
}

using TileFunction = void (*)(const std::byte*, std::size_t, const ActivationBlock*, MatmulTile&);

/// multiplyTile for 1 … 8 activation rows.
template<class Format, class Isa, int... kRowsMinusOne>
constexpr auto makeTileFunctions(std::integer_sequence<int, kRowsMinusOne...>)
{
    return std::array<TileFunction, sizeof...(kRowsMinusOne)>{
        &multiplyTile<Format, Isa, kRowsMinusOne + 1>...};
}

template<class Isa>
void multiplyQuantized(const MatmulJob& job)
{
    format::withFormat(job.weights.type(), [&](auto format) {
        static constexpr auto kTiles = makeTileFunctions<decltype(format), Isa>(
            std::make_integer_sequence<int, ActivationBlock::kRows>{});
        walkTiles(job, [&](std::size_t group, std::size_t firstRow, std::size_t rows, MatmulTile& tile) {
            kTiles[rows - 1](job.weights.group(group), job.weights.columns(),
                             job.activations.quantized->panel(firstRow / ActivationBlock::kRows), tile);
        });
    });
}

/// The dot products of a tile of 4-bit weights and nothing else, `rounds` times.
template<class Isa>
VITRINE_SIMD std::uint64_t spinDots(std::uint64_t rounds)
{
    alignas(64) std::uint8_t weights[8 * 4 * Isa::kLanes] = {};
    alignas(64) std::int8_t input[Isa::kTileRows * format::kColumns] = {};
    asm volatile("" : : "r"(weights) : "memory"); // whose values the compiler must not know
    typename Isa::Bytes codes[8];
    for (std::size_t i = 0; i < 8; ++i)
        codes[i] = Isa::loadBytes(weights + i * 4 * Isa::kLanes);
    typename Isa::Ints sums[Isa::kTileRows] = {};
    for (std::uint64_t round = 0; round < rounds; ++round) {
        asm volatile(""
                     :
                     : "r"(input)
                     : "memory"); // so that no round is found to be the same as the one before
        for (int j = 0; j < Isa::kTileRows; ++j)
            sums[j] = Isa::template dot<format::Nibbles>(sums[j], codes, input + j * format::kColumns);
    }
    MatmulTile out;
    for (int j = 0; j < Isa::kTileRows; ++j)
        Isa::store(out.values[j], Isa::toFloats(sums[j]));
    asm volatile("" : : "r"(&out) : "memory");
    return rounds * Isa::kTileRows * Isa::kLanes * format::kColumns;
}

} // namespace vitrine::kernels
