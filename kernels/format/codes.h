// SPDX-License-Identifier: GPL-3.0-or-later
// How the codes of a packed block (16 rows, 32 columns) lie in memory. They make eight vectors of 64 bytes:
// vector i has columns 4i … 4i + 3, a row's four in one 32-bit lane, as the dot product instructions want
// them. `load` gives eight registers, register i with the rows of `part` of vector i, the part-th register of
// rows (16 rows take several narrow registers).
//
// A code stands for value(code). The products take unsigned numbers value + kOffset of at most kMaxCode;
// where kSigned, instruction sets with a signed dot product take signed bytes instead, the values themselves.
#pragma once
#include "kernels/format/block.h"

#include <algorithm>
#include <utility>

namespace vitrine::kernels::format {

inline constexpr std::size_t kVectorBytes = 4 * kRows;

/// What the numbers in the registers are above the values.
template<class Codes, class Isa>
inline constexpr int kOffsetFor = Codes::kSigned&& Isa::kSignedDot ? 0 : Codes::kOffset;

/// A field of kBits bits of each code, as many vectors in one as there is room for: vector i lies in vector
/// i % kBits of memory, from bit i / kBits * kBits on.
template<int kBits>
struct Field {
    static constexpr std::size_t kBytes = kRows * kColumns * kBits / 8;

    static void put(std::uint8_t* field, std::size_t row, std::size_t column, unsigned bits) noexcept
    {
        field[place(row, column)] |= static_cast<std::uint8_t>(bits << firstBit(column / 4));
    }

    [[nodiscard]] static unsigned get(const std::uint8_t* field, std::size_t row, std::size_t column) noexcept
    {
        return unsigned{field[place(row, column)]} >> firstBit(column / 4) & ((1U << kBits) - 1);
    }

    [[nodiscard]] static constexpr std::size_t vectorStart(std::size_t vector) noexcept
    {
        return vector % kBits * kVectorBytes;
    }
    [[nodiscard]] static constexpr int firstBit(std::size_t vector) noexcept
    {
        return static_cast<int>(vector) / kBits * kBits;
    }

private:
    [[nodiscard]] static constexpr std::size_t place(std::size_t row, std::size_t column) noexcept
    {
        return vectorStart(column / 4) + row * 4 + column % 4;
    }
};

/// Calls load<Isa, i>() for the eight vectors.
template<class Codes, class Isa, std::size_t... i>
VITRINE_SIMD inline void loadVectors(const std::uint8_t* codes, std::size_t part,
                                     typename Isa::Bytes (&out)[8], std::index_sequence<i...>)
{
    const std::uint8_t* first = codes + part * 4 * Isa::kLanes;
    ((out[i] = Codes::template loadVector<Isa, i>(first)), ...);
}

/// Codes of kLow + kHigh bits, those in two fields after each other; value = code - offset.
template<int kLow, int kHigh, int kSubtracted>
struct SplitCodes {
    using Low = Field<kLow>;
    using High = Field<std::max(kHigh, 1)>;
    static constexpr std::size_t kBytes = Low::kBytes + (kHigh > 0 ? High::kBytes : 0);
    static constexpr bool kSigned = false;
    static constexpr int kOffset = kSubtracted;
    static constexpr int kMaxCode = (1 << (kLow + kHigh)) - 1;

    [[nodiscard]] static constexpr int value(unsigned code) noexcept
    {
        return static_cast<int>(code) - kOffset;
    }

    static void put(std::uint8_t* codes, std::size_t row, std::size_t column, unsigned code) noexcept
    {
        Low::put(codes, row, column, code & ((1U << kLow) - 1));
        if constexpr (kHigh > 0)
            High::put(codes + Low::kBytes, row, column, code >> kLow);
    }

    [[nodiscard]] static unsigned get(const std::uint8_t* codes, std::size_t row, std::size_t column) noexcept
    {
        unsigned code = Low::get(codes, row, column);
        if constexpr (kHigh > 0)
            code |= High::get(codes + Low::kBytes, row, column) << kLow;
        return code;
    }

    template<class Isa>
    VITRINE_SIMD static void load(const std::uint8_t* codes, std::size_t part, typename Isa::Bytes (&out)[8])
    {
        loadVectors<SplitCodes, Isa>(codes, part, out, std::make_index_sequence<8>{});
    }

    template<class Isa, std::size_t i>
    VITRINE_SIMD static typename Isa::Bytes loadVector(const std::uint8_t* codes)
    {
        const auto low =
            Isa::template bits<Low::firstBit(i), kLow>(Isa::loadBytes(codes + Low::vectorStart(i)));
        if constexpr (kHigh == 0)
            return low;
        else
            return Isa::template withBits<High::firstBit(i), kHigh, kLow>(
                low, Isa::loadBytes(codes + Low::kBytes + High::vectorStart(i)));
    }
};

using Nibbles = SplitCodes<4, 0, 0>;

/// 4-bit codes that stand for the 16 values of a table.
template<class Table>
struct TableCodes {
    using Indices = Field<4>;
    static constexpr std::size_t kBytes = Indices::kBytes;
    static constexpr int kOffset = Table::kOffset;
    static constexpr int kMaxCode = Table::kGreatest + kOffset;
    static constexpr bool kSigned = kMaxCode > 127;

    [[nodiscard]] static constexpr int value(unsigned code) noexcept { return Table::kValues[code]; }

    static void put(std::uint8_t* codes, std::size_t row, std::size_t column, unsigned code) noexcept
    {
        Indices::put(codes, row, column, code);
    }

    [[nodiscard]] static unsigned get(const std::uint8_t* codes, std::size_t row, std::size_t column) noexcept
    {
        return Indices::get(codes, row, column);
    }

    template<class Isa>
    VITRINE_SIMD static void load(const std::uint8_t* codes, std::size_t part, typename Isa::Bytes (&out)[8])
    {
        loadVectors<TableCodes, Isa>(codes, part, out, std::make_index_sequence<8>{});
    }

    template<class Isa, std::size_t i>
    VITRINE_SIMD static typename Isa::Bytes loadVector(const std::uint8_t* codes)
    {
        return Isa::lookUp(
            kShifted<kOffsetFor<TableCodes, Isa>>,
            Isa::template bits<Indices::firstBit(i), 4>(Isa::loadBytes(codes + Indices::vectorStart(i))));
    }

private:
    struct Values {
        std::uint8_t bytes[16];
    };
    template<int kBy>
    static constexpr Values kShifted = [] {
        Values out{};
        for (std::size_t i = 0; i < 16; ++i)
            out.bytes[i] = static_cast<std::uint8_t>(Table::kValues[i] + kBy);
        return out;
    }();
};

/// Codes -128 … 127, a byte each.
struct SignedBytes {
    using Bytes = Field<8>;
    static constexpr std::size_t kBytes = Bytes::kBytes;
    static constexpr bool kSigned = true;
    static constexpr int kOffset = 128;
    static constexpr int kMaxCode = 255;

    [[nodiscard]] static constexpr int value(unsigned code) noexcept
    {
        return static_cast<std::int8_t>(code);
    }

    static void put(std::uint8_t* codes, std::size_t row, std::size_t column, unsigned code) noexcept
    {
        Bytes::put(codes, row, column, code);
    }

    [[nodiscard]] static unsigned get(const std::uint8_t* codes, std::size_t row, std::size_t column) noexcept
    {
        return Bytes::get(codes, row, column);
    }

    template<class Isa>
    VITRINE_SIMD static void load(const std::uint8_t* codes, std::size_t part, typename Isa::Bytes (&out)[8])
    {
        for (std::size_t i = 0; i < 8; ++i) {
            out[i] = Isa::loadBytes(codes + i * kVectorBytes + part * 4 * Isa::kLanes);
            if constexpr (!Isa::kSignedDot)
                out[i] = Isa::addOffset128(out[i]);
        }
    }
};

} // namespace vitrine::kernels::format
