// SPDX-License-Identifier: GPL-3.0-or-later
// Scales in two steps: halves for 256 columns, times small integers for 16 or 32 of them. The integers stay
// integers, so that nothing is rounded and a packed matrix is hardly larger than the file.
#pragma once
#include "kernels/format/scales.h"

namespace vitrine::kernels::format {

/// kScalesPerBlock signed bytes a row: [scale][16 rows]. In common: 16 halves.
template<int kScalesPerBlock>
struct SmallScales {
    static constexpr int kPerBlock = kScalesPerBlock;
    static constexpr std::size_t kBytes = kPerBlock * kRows;
    static constexpr std::size_t kCommonBytes = 2 * kRows;
    static constexpr bool kHasMinimum = false;

    static void put(ScaleTarget to, std::size_t row, const DecodedBlock& block) noexcept
    {
        storeHalf(to.common + 2 * row, block.scale);
        for (std::size_t s = 0; s < kPerBlock; ++s)
            to.own[s * kRows + row] = static_cast<std::uint8_t>(block.scales[s]);
    }

    [[nodiscard]] static ScaleAndMinimum get(ScaleSource from, std::size_t row, std::size_t half) noexcept
    {
        const std::size_t s = half * kPerBlock / 2;
        return {loadHalf(from.common + 2 * row) * static_cast<std::int8_t>(from.own[s * kRows + row]), 0};
    }

    template<class Isa>
    VITRINE_SIMD static void load(ScaleSource from, std::size_t part, ScaleRegisters<Isa, kPerBlock>& out)
    {
        const auto common = Isa::loadHalves(from.common + 2 * part * Isa::kLanes);
        for (std::size_t s = 0; s < kPerBlock; ++s)
            out.scale[s] = Isa::mul(common, Isa::loadSigned(from.own + s * kRows + part * Isa::kLanes));
    }
};

/// A byte of scale and one of minimum a row, for 32 columns: [16 rows], [16 rows]. In common: 16 halves for
/// the scales, 16 for the minima.
struct SmallScalesAndMinima {
    static constexpr int kPerBlock = 1;
    static constexpr std::size_t kBytes = 2 * kRows;
    static constexpr std::size_t kCommonBytes = 4 * kRows;
    static constexpr bool kHasMinimum = true;

    static void put(ScaleTarget to, std::size_t row, const DecodedBlock& block) noexcept
    {
        storeHalf(to.common + 2 * row, block.scale);
        storeHalf(to.common + 2 * (kRows + row), block.minimum);
        to.own[row] = static_cast<std::uint8_t>(block.scales[0]);
        to.own[kRows + row] = static_cast<std::uint8_t>(block.minima[0]);
    }

    [[nodiscard]] static ScaleAndMinimum get(ScaleSource from, std::size_t row, std::size_t) noexcept
    {
        return {loadHalf(from.common + 2 * row) * from.own[row],
                loadHalf(from.common + 2 * (kRows + row)) * from.own[kRows + row]};
    }

    template<class Isa>
    VITRINE_SIMD static void load(ScaleSource from, std::size_t part, ScaleRegisters<Isa, 1>& out)
    {
        const std::size_t first = part * Isa::kLanes;
        out.scale[0] = Isa::mul(Isa::loadHalves(from.common + 2 * first), Isa::loadSigned(from.own + first));
        out.minimum[0] = Isa::mul(Isa::loadHalves(from.common + 2 * (kRows + first)),
                                  Isa::loadSigned(from.own + kRows + first));
    }
};

/// For 16 columns a byte a row, scale in the low and minimum in the high half: [2][16 rows]. In common: 16
/// halves for the scales, 16 for the minima.
struct NibbleScalesAndMinima {
    static constexpr int kPerBlock = 2;
    static constexpr std::size_t kBytes = 2 * kRows;
    static constexpr std::size_t kCommonBytes = 4 * kRows;
    static constexpr bool kHasMinimum = true;

    static void put(ScaleTarget to, std::size_t row, const DecodedBlock& block) noexcept
    {
        storeHalf(to.common + 2 * row, block.scale);
        storeHalf(to.common + 2 * (kRows + row), block.minimum);
        for (std::size_t s = 0; s < 2; ++s)
            to.own[s * kRows + row] = static_cast<std::uint8_t>(block.scales[s] | block.minima[s] << 4);
    }

    [[nodiscard]] static ScaleAndMinimum get(ScaleSource from, std::size_t row, std::size_t half) noexcept
    {
        const std::uint8_t pair = from.own[half * kRows + row];
        return {loadHalf(from.common + 2 * row) * static_cast<float>(pair & 15),
                loadHalf(from.common + 2 * (kRows + row)) * static_cast<float>(pair >> 4)};
    }

    template<class Isa>
    VITRINE_SIMD static void load(ScaleSource from, std::size_t part, ScaleRegisters<Isa, 2>& out)
    {
        const std::size_t first = part * Isa::kLanes;
        const auto scale = Isa::loadHalves(from.common + 2 * first);
        const auto minimum = Isa::loadHalves(from.common + 2 * (kRows + first));
        for (std::size_t s = 0; s < 2; ++s) {
            Isa::loadNibblePairs(from.own + s * kRows + first, out.scale[s], out.minimum[s]);
            out.scale[s] = Isa::mul(scale, out.scale[s]);
            out.minimum[s] = Isa::mul(minimum, out.minimum[s]);
        }
    }
};

} // namespace vitrine::kernels::format
