// SPDX-License-Identifier: GPL-3.0-or-later
// The integer matrix product, written once for all instruction sets: each matmul_<set>.cpp defines
// VITRINE_SIMD and an Isa (see matmul_generic.cpp for what it must have), then includes this file.
#pragma once
#include "kernels/matmul_walk.h"
#include "kernels/packed_group.h"

#include <array>
#include <utility>

namespace vitrine::kernels {

/// kParts registers of weight rows from `firstPart` on (each holds Isa::kLanes of the 16) × kRows activation
/// rows from `firstRow` on, over all columns from left to right. Each register of unpacked weights serves all
/// activation rows before the next is loaded.
template<class Format, class Isa, std::size_t kParts, int kRows>
[[gnu::always_inline]] VITRINE_SIMD inline void
multiplyParts(PackedGroup<Format, const std::byte> weights, std::size_t firstPart, std::size_t blocks,
              const ActivationBlock* panel, int firstRow, MatmulTile& out)
{
    constexpr bool kAddOffset = Format::Codes::kSigned && !Isa::kSignedDot;
    typename Isa::Floats sums[kParts][kRows];
    for (auto& part : sums)
        for (auto& sum : part)
            sum = Isa::broadcast(0.0F);
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t i = 0; i < kParts; ++i) {
            typename Isa::Bytes codes[8];
            Format::Codes::template load<Isa>(weights.codes(b), firstPart + i, codes);
            typename Isa::Floats scale;
            typename Isa::Floats minimum;
            Format::Scales::template load<Isa>(weights.scales(b), firstPart + i, scale, minimum);
            if constexpr (kAddOffset) {
                for (auto& vector : codes)
                    vector = Isa::addOffset128(vector);
                minimum = Isa::mul(scale, Isa::broadcast(-128.0F));
            }
            for (int j = 0; j < kRows; ++j) {
                const auto dots = Isa::template dot<typename Format::Codes>(typename Isa::Ints{}, codes,
                                                                            panel[b].values[firstRow + j]);
                const auto factor = Isa::mul(scale, Isa::broadcast(panel[b].scales[firstRow + j]));
                sums[i][j] = Isa::mulAdd(factor, Isa::toFloats(dots), sums[i][j]);
                if constexpr (Format::Scales::kHasMinimum || kAddOffset)
                    sums[i][j] =
                        Isa::mulAdd(minimum, Isa::broadcast(panel[b].sums[firstRow + j]), sums[i][j]);
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
        Isa::store(out.values[0], Isa::toFloats(sums[j]));
    asm volatile("" : : "r"(&out) : "memory");
    return rounds * Isa::kTileRows * Isa::kLanes * format::kColumns;
}

} // namespace vitrine::kernels
