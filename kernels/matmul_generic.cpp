// SPDX-License-Identifier: GPL-3.0-or-later
// Plain C++: for machines without any of the other instruction sets, and the pattern that these follow.
#include "kernels/matmul_tiles.h"

namespace vitrine::kernels {
namespace {

struct Generic {
    static constexpr std::size_t kLanes = 16; ///< weight rows in one register
    static constexpr int kTileRows = 4;       ///< activation rows that one register of weights serves
    static constexpr bool kSignedDot = true;  ///< dot() takes signed codes as they are

    struct Bytes {
        std::uint8_t lanes[4 * kLanes];
    }; ///< 4 columns of each row
    struct Ints {
        std::int32_t lanes[kLanes] = {};
    };
    struct Floats {
        float lanes[kLanes];
    };

    static Bytes loadBytes(const std::uint8_t* from)
    {
        Bytes out;
        std::memcpy(out.lanes, from, sizeof out.lanes);
        return out;
    }

    /// Bits kFrom … kFrom + kCount - 1 of each byte, alone.
    template<int kFrom, int kCount>
    static Bytes bits(Bytes v)
    {
        for (std::uint8_t& lane : v.lanes)
            lane = static_cast<std::uint8_t>(lane >> kFrom & ((1 << kCount) - 1));
        return v;
    }

    /// The same bits of `v`, put into `low` from bit kTo on.
    template<int kFrom, int kCount, int kTo>
    static Bytes withBits(Bytes low, const Bytes& v)
    {
        const Bytes high = bits<kFrom, kCount>(v);
        for (std::size_t i = 0; i < 4 * kLanes; ++i)
            low.lanes[i] |= static_cast<std::uint8_t>(high.lanes[i] << kTo);
        return low;
    }

    /// Byte `index` of the table's 16 for each index.
    template<class Table>
    static Bytes lookUp(const Table& table, Bytes indices)
    {
        for (std::uint8_t& lane : indices.lanes)
            lane = table.bytes[lane];
        return indices;
    }

    static Ints broadcastInt(std::int32_t value)
    {
        Ints out;
        std::fill_n(out.lanes, kLanes, value);
        return out;
    }

    /// Adds the sum over 32 columns: codes[i] has columns 4i … 4i + 3, x all 32.
    template<class Codes>
    static Ints dot(Ints sums, const Bytes (&codes)[8], const std::int8_t* x)
    {
        for (std::size_t i = 0; i < 8; ++i)
            dotVector<Codes::kSigned>(sums, codes[i], x + 4 * i);
        return sums;
    }

    /// Adds the sums over the first and the last 16 columns.
    template<class Codes>
    static void dotHalves(Ints (&sums)[2], const Bytes (&codes)[8], const std::int8_t* x)
    {
        for (std::size_t i = 0; i < 8; ++i)
            dotVector<Codes::kSigned>(sums[i / 4], codes[i], x + 4 * i);
    }

    static Floats toFloats(Ints ints)
    {
        Floats out;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            out.lanes[lane] = static_cast<float>(ints.lanes[lane]);
        return out;
    }

    static Floats loadHalves(const std::uint8_t* halves)
    {
        Floats out;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            out.lanes[lane] = format::loadHalf(halves + 2 * lane);
        return out;
    }

    /// Signed bytes as floats.
    static Floats loadSigned(const std::uint8_t* bytes)
    {
        Floats out;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            out.lanes[lane] = static_cast<std::int8_t>(bytes[lane]);
        return out;
    }

    /// Both halves of bytes as floats.
    static void loadNibblePairs(const std::uint8_t* bytes, Floats& low, Floats& high)
    {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            low.lanes[lane] = static_cast<float>(bytes[lane] & 15);
            high.lanes[lane] = static_cast<float>(bytes[lane] >> 4);
        }
    }

    /// 2^(e - 128). note: the others take the greater of two bit patterns, that of the normal number,
    /// (e - 1) << 23, and (e + 1) << 21, which is right for e = 0 and 1.
    static Floats loadExponents(const std::uint8_t* bytes)
    {
        Floats out;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            out.lanes[lane] = format::ExponentScales::scaleOf(bytes[lane]);
        return out;
    }

    static Floats broadcast(float value)
    {
        Floats out;
        std::fill_n(out.lanes, kLanes, value);
        return out;
    }

    static Floats mul(Floats a, const Floats& b)
    {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            a.lanes[lane] *= b.lanes[lane];
        return a;
    }

    static Floats mulAdd(const Floats& a, const Floats& b, Floats sum)
    {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sum.lanes[lane] += a.lanes[lane] * b.lanes[lane];
        return sum;
    }

    static void store(float* to, const Floats& from) { std::copy_n(from.lanes, kLanes, to); }

private:
    template<bool kSigned>
    static void dotVector(Ints& sums, const Bytes& codes, const std::int8_t* x)
    {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            for (std::size_t column = 0; column < 4; ++column) {
                const std::uint8_t code = codes.lanes[4 * lane + column];
                sums.lanes[lane] += (kSigned ? static_cast<std::int8_t>(code) : code) * x[column];
            }
    }
};

} // namespace

const MatmulBackend kMatmulGeneric{"generic", []() noexcept { return true; }, &multiplyQuantized<Generic>,
                                   &spinDots<Generic>};

} // namespace vitrine::kernels
