// SPDX-License-Identifier: GPL-3.0-or-later
// What the instruction sets with 256-bit registers share; included once VITRINE_SIMD and VITRINE_OP are
// defined.
#pragma once
#include "kernels/matmul_tiles.h"

#include <cpuid.h>
#include <immintrin.h>

namespace vitrine::kernels {
namespace {

/// AVX2, FMA and F16C; the last has no name that clang 14 would know.
inline bool hasAvx2() noexcept
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0 &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/// 8 weight rows a register. Derived classes add kSignedDot, `dot` and `dotHalves`.
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
    template<int kFrom, int kCount>
    VITRINE_OP Bytes bits(Bytes v)
    {
        return _mm256_and_si256(_mm256_srli_epi16(v, kFrom), _mm256_set1_epi8((1 << kCount) - 1));
    }
    template<int kFrom, int kCount, int kTo>
    VITRINE_OP Bytes withBits(Bytes low, Bytes v)
    {
        const Bytes moved = kFrom > kTo ? _mm256_srli_epi16(v, std::max(kFrom - kTo, 0))
                                        : _mm256_slli_epi16(v, std::max(kTo - kFrom, 0));
        const Bytes mask = _mm256_set1_epi8(static_cast<char>(((1 << kCount) - 1) << kTo));
        return _mm256_or_si256(low, _mm256_and_si256(moved, mask));
    }
    template<class Table>
    VITRINE_OP Bytes lookUp(const Table& table, Bytes indices)
    {
        const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.bytes));
        return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(values), indices);
    }
    VITRINE_OP Bytes addOffset128(Bytes codes) { return _mm256_xor_si256(codes, _mm256_set1_epi8(-128)); }

    VITRINE_OP Ints broadcastInt(std::int32_t value) { return _mm256_set1_epi32(value); }
    VITRINE_OP Floats toFloats(Ints ints) { return _mm256_cvtepi32_ps(ints); }
    VITRINE_OP Floats loadHalves(const std::uint8_t* halves)
    {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves)));
    }
    VITRINE_OP Floats loadSigned(const std::uint8_t* bytes)
    {
        return toFloats(_mm256_cvtepi8_epi32(loadSmall(bytes)));
    }
    VITRINE_OP void loadNibblePairs(const std::uint8_t* bytes, Floats& low, Floats& high)
    {
        const Ints pairs = _mm256_cvtepu8_epi32(loadSmall(bytes));
        low = toFloats(_mm256_and_si256(pairs, _mm256_set1_epi32(15)));
        high = toFloats(_mm256_srli_epi32(pairs, 4));
    }
    VITRINE_OP Floats loadExponents(const std::uint8_t* bytes)
    {
        const Ints e = _mm256_cvtepu8_epi32(loadSmall(bytes));
        const Ints one = _mm256_set1_epi32(1);
        const Ints normal = _mm256_slli_epi32(_mm256_sub_epi32(e, one), 23);
        const Ints denormal = _mm256_slli_epi32(_mm256_add_epi32(e, one), 21);
        return _mm256_castsi256_ps(_mm256_max_epi32(normal, denormal));
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

private:
    VITRINE_OP __m128i loadSmall(const std::uint8_t* bytes)
    {
        return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
    }
};

} // namespace
} // namespace vitrine::kernels
