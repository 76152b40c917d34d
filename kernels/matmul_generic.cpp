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

    static Bytes lowNibbles(Bytes pairs)
    {
        for (std::uint8_t& lane : pairs.lanes)
            lane &= 15;
        return pairs;
    }

    static Bytes highNibbles(Bytes pairs)
    {
        for (std::uint8_t& lane : pairs.lanes)
            lane >>= 4;
        return pairs;
    }

    /// Adds the sum over 32 columns: codes[i] has columns 4i … 4i + 3, x all 32.
    template<class Codes>
    static Ints dot(Ints sums, const Bytes (&codes)[8], const std::int8_t* x)
    {
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                for (std::size_t column = 0; column < 4; ++column) {
                    const std::uint8_t code = codes[i].lanes[4 * lane + column];
                    sums.lanes[lane] +=
                        (Codes::kSigned ? static_cast<std::int8_t>(code) : code) * x[4 * i + column];
                }
        return sums;
    }

    static Floats toFloats(Ints ints)
    {
        Floats out;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            out.lanes[lane] = static_cast<float>(ints.lanes[lane]);
        return out;
    }

    static Floats loadHalves(const std::uint16_t* halves)
    {
        Floats out;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            out.lanes[lane] = halfToFloat(halves[lane]);
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
};

} // namespace

const MatmulBackend kMatmulGeneric{"generic", []() noexcept { return true; }, &multiplyQuantized<Generic>,
                                   &spinDots<Generic>};

} // namespace vitrine::kernels
