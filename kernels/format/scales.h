// SPDX-License-Identifier: GPL-3.0-or-later
// How the scales (and minima) of 16 rows lie in memory: kBytes beside each packed block of 32 columns,
// kCommonBytes once before all packed blocks of the file's block. kPerBlock is the number of scales in 32
// columns. `load` gives the rows of `part` (see codes.h), `minimum` only where kHasMinimum.
#pragma once
#include "kernels/format/block.h"

namespace vitrine::kernels::format {

/// Where the scales of a block lie: its own, and those it shares.
template<class Byte>
struct ScalePlace {
    Byte* own;
    Byte* common;
};

using ScaleSource = ScalePlace<const std::uint8_t>;
using ScaleTarget = ScalePlace<std::uint8_t>;

template<class Isa, int kPerBlock>
struct ScaleRegisters {
    typename Isa::Floats scale[kPerBlock];
    typename Isa::Floats minimum[kPerBlock];
};

/// 16 halves of scales.
struct HalfScales {
    static constexpr std::size_t kBytes = 2 * kRows;
    static constexpr std::size_t kCommonBytes = 0;
    static constexpr int kPerBlock = 1;
    static constexpr bool kHasMinimum = false;

    static void put(ScaleTarget to, std::size_t row, const DecodedBlock& block) noexcept
    {
        storeHalf(to.own + 2 * row, block.scale);
    }

    [[nodiscard]] static ScaleAndMinimum get(ScaleSource from, std::size_t row, std::size_t) noexcept
    {
        return {loadHalf(from.own + 2 * row), 0};
    }

    template<class Isa>
    VITRINE_SIMD static void load(ScaleSource from, std::size_t part, ScaleRegisters<Isa, 1>& out)
    {
        out.scale[0] = Isa::loadHalves(from.own + 2 * part * Isa::kLanes);
    }
};

/// 16 halves of scales, then 16 halves of minima.
struct HalfScalesAndMinima {
    static constexpr std::size_t kBytes = 4 * kRows;
    static constexpr std::size_t kCommonBytes = 0;
    static constexpr int kPerBlock = 1;
    static constexpr bool kHasMinimum = true;

    static void put(ScaleTarget to, std::size_t row, const DecodedBlock& block) noexcept
    {
        storeHalf(to.own + 2 * row, block.scale);
        storeHalf(to.own + 2 * (kRows + row), block.minimum);
    }

    [[nodiscard]] static ScaleAndMinimum get(ScaleSource from, std::size_t row, std::size_t) noexcept
    {
        return {loadHalf(from.own + 2 * row), loadHalf(from.own + 2 * (kRows + row))};
    }

    template<class Isa>
    VITRINE_SIMD static void load(ScaleSource from, std::size_t part, ScaleRegisters<Isa, 1>& out)
    {
        out.scale[0] = Isa::loadHalves(from.own + 2 * part * Isa::kLanes);
        out.minimum[0] = Isa::loadHalves(from.own + 2 * (kRows + part * Isa::kLanes));
    }
};

/// 16 exponents e of scales 2^(e - 128): the OCP's E8M0 for values of half the size of its own.
struct ExponentScales {
    static constexpr std::size_t kBytes = kRows;
    static constexpr std::size_t kCommonBytes = 0;
    static constexpr int kPerBlock = 1;
    static constexpr bool kHasMinimum = false;

    /// Exact for every e: 2^-128 and 2^-127 are denormal, above them the exponent is that of the float + 1.
    [[nodiscard]] static constexpr float scaleOf(std::uint8_t e) noexcept
    {
        return std::bit_cast<float>(e < 2 ? 0x0020'0000U << e : (e - 1U) << 23);
    }

    static void put(ScaleTarget to, std::size_t row, const DecodedBlock& block) noexcept
    {
        const auto bits = std::bit_cast<std::uint32_t>(block.scale);
        to.own[row] = static_cast<std::uint8_t>(bits < 0x0080'0000U ? bits >> 22 : (bits >> 23) + 1);
    }

    [[nodiscard]] static ScaleAndMinimum get(ScaleSource from, std::size_t row, std::size_t) noexcept
    {
        return {scaleOf(from.own[row]), 0};
    }

    template<class Isa>
    VITRINE_SIMD static void load(ScaleSource from, std::size_t part, ScaleRegisters<Isa, 1>& out)
    {
        out.scale[0] = Isa::loadExponents(from.own + part * Isa::kLanes);
    }
};

} // namespace vitrine::kernels::format
