// SPDX-License-Identifier: GPL-3.0-or-later
// How the scales (and minima) of a packed block of 16 rows lie in memory.
#pragma once
#include "kernels/format/block.h"

namespace vitrine::kernels::format {

struct ScaleAndMinimum {
    float scale;
    float minimum;
};

/// 16 halves; the minimum is the scale times -kOffset: the file's codes were shifted by kOffset to be
/// unsigned.
template<int kOffset>
struct HalfScales {
    static constexpr std::size_t kBytes = 2 * kRows;
    static constexpr bool kHasMinimum = kOffset != 0;

    static void put(std::uint16_t* scales, std::size_t row, const DecodedBlock& block) noexcept
    {
        scales[row] = floatToHalf(block.scale);
    }

    [[nodiscard]] static ScaleAndMinimum get(const std::uint16_t* scales, std::size_t row) noexcept
    {
        const float scale = halfToFloat(scales[row]);
        return {scale, kHasMinimum ? scale * -kOffset : 0.0F};
    }

    template<class Isa>
    VITRINE_SIMD static void load(const std::uint16_t* scales, std::size_t part, typename Isa::Floats& scale,
                                  typename Isa::Floats& minimum)
    {
        scale = Isa::loadHalves(scales + part * Isa::kLanes);
        minimum = Isa::mul(scale, Isa::broadcast(-static_cast<float>(kOffset)));
    }
};

/// 16 halves of scales, then 16 halves of minima.
struct HalfScalesAndMinima {
    static constexpr std::size_t kBytes = 4 * kRows;
    static constexpr bool kHasMinimum = true;

    static void put(std::uint16_t* scales, std::size_t row, const DecodedBlock& block) noexcept
    {
        scales[row] = floatToHalf(block.scale);
        scales[kRows + row] = floatToHalf(block.minimum);
    }

    [[nodiscard]] static ScaleAndMinimum get(const std::uint16_t* scales, std::size_t row) noexcept
    {
        return {halfToFloat(scales[row]), halfToFloat(scales[kRows + row])};
    }

    template<class Isa>
    VITRINE_SIMD static void load(const std::uint16_t* scales, std::size_t part, typename Isa::Floats& scale,
                                  typename Isa::Floats& minimum)
    {
        scale = Isa::loadHalves(scales + part * Isa::kLanes);
        minimum = Isa::loadHalves(scales + kRows + part * Isa::kLanes);
    }
};

} // namespace vitrine::kernels::format
