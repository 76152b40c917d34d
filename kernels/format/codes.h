// SPDX-License-Identifier: GPL-3.0-or-later
// How the codes of a packed block (16 rows, 32 columns) lie in memory. `load` gives eight registers, register
// i with columns 4i … 4i + 3 of the rows of `part`, the part-th vector of rows (16 rows take several narrow
// registers).
#pragma once
#include "kernels/format/block.h"

namespace vitrine::kernels::format {

/// Codes 0 … 15: column c < 16 in a low half-byte, column c + 16 in the high one beside it.
struct Nibbles {
    static constexpr std::size_t kBytes = kRows * kColumns / 2;
    static constexpr bool kSigned = false;
    static constexpr int kMaxCode = 15;

    static void put(std::uint8_t* codes, std::size_t row, std::size_t column, std::int8_t code) noexcept
    {
        codes[lanePlace(row, column % 16)] |= static_cast<std::uint8_t>(column < 16 ? code : code << 4);
    }

    [[nodiscard]] static int get(const std::uint8_t* codes, std::size_t row, std::size_t column) noexcept
    {
        const std::uint8_t pair = codes[lanePlace(row, column % 16)];
        return column < 16 ? pair & 15 : pair >> 4;
    }

    template<class Isa>
    VITRINE_SIMD static void load(const std::uint8_t* codes, std::size_t part, typename Isa::Bytes (&out)[8])
    {
        for (int i = 0; i < 4; ++i) {
            const auto pairs = Isa::loadBytes(codes + i * 64 + part * 4 * Isa::kLanes);
            out[i] = Isa::lowNibbles(pairs);
            out[i + 4] = Isa::highNibbles(pairs);
        }
    }
};

/// Codes -128 … 127, a byte each.
struct SignedBytes {
    static constexpr std::size_t kBytes = kRows * kColumns;
    static constexpr bool kSigned = true;
    static constexpr int kMaxCode = 128;

    static void put(std::uint8_t* codes, std::size_t row, std::size_t column, std::int8_t code) noexcept
    {
        codes[lanePlace(row, column)] = static_cast<std::uint8_t>(code);
    }

    [[nodiscard]] static int get(const std::uint8_t* codes, std::size_t row, std::size_t column) noexcept
    {
        return static_cast<std::int8_t>(codes[lanePlace(row, column)]);
    }

    template<class Isa>
    VITRINE_SIMD static void load(const std::uint8_t* codes, std::size_t part, typename Isa::Bytes (&out)[8])
    {
        for (int i = 0; i < 8; ++i)
            out[i] = Isa::loadBytes(codes + i * 64 + part * 4 * Isa::kLanes);
    }
};

} // namespace vitrine::kernels::format
