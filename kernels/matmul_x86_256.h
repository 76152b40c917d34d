// SPDX-License-Identifier: GPL-3.0-or-later
// What the instruction sets with 256-bit registers share; included once VITRINE_SIMD and VITRINE_OP are
// defined.
#pragma once
#include "kernels/matmul_tiles.h"

#include <immintrin.h>

namespace vitrine::kernels {
namespace {

/// 8 weight rows a register. Derived classes add `dot` and kSignedDot.
struct X86Registers256 {
    static constexpr std::size_t kLanes = 8;
    static constexpr int kTileRows = 4; ///< 16 registers: 8 of weights, 4 of sums, 4 to work with
    using Bytes = __m256i;
    using Ints = __m256i;
    using Floats = __m256;

    VITRINE_OP Bytes loadBytes(const std::uint8_t* from)
    {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    VITRINE_OP Bytes lowNibbles(Bytes pairs) { return _mm256_and_si256(pairs, _mm256_set1_epi8(15)); }
    VITRINE_OP Bytes highNibbles(Bytes pairs) { return lowNibbles(_mm256_srli_epi16(pairs, 4)); }
    VITRINE_OP Bytes addOffset128(Bytes codes) { return _mm256_xor_si256(codes, _mm256_set1_epi8(-128)); }

    VITRINE_OP Floats toFloats(Ints ints) { return _mm256_cvtepi32_ps(ints); }
    VITRINE_OP Floats loadHalves(const std::uint16_t* halves)
    {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves)));
    }
    VITRINE_OP Floats broadcast(float value) { return _mm256_set1_ps(value); }
    VITRINE_OP Floats mul(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    VITRINE_OP Floats mulAdd(Floats a, Floats b, Floats sum) { return _mm256_fmadd_ps(a, b, sum); }
    VITRINE_OP void store(float* to, Floats from) { _mm256_storeu_ps(to, from); }

protected:
    VITRINE_OP Bytes broadcastFour(const std::int8_t* x)
    {
        std::int32_t four;
        std::memcpy(&four, x, sizeof four);
        return _mm256_set1_epi32(four);
    }
};

} // namespace
} // namespace vitrine::kernels
