// SPDX-License-Identifier: GPL-3.0-or-later
// 512-bit registers with the dot product of unsigned and signed bytes: Intel since Ice Lake, AMD since Zen 4.
#if defined(__x86_64__)
#include <immintrin.h>

// g++ 12 takes the header's own _mm512_undefined_*() for a use of something uninitialised (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define VITRINE_SIMD __attribute__((target("avx512f,avx512bw,avx512vnni,avx512vl,f16c,fma")))
#define VITRINE_OP [[gnu::always_inline]] VITRINE_SIMD static inline
#include "kernels/matmul_tiles.h"

namespace vitrine::kernels {
namespace {

struct Avx512Vnni {
    static constexpr std::size_t kLanes = 16;
    static constexpr int kTileRows = 8;
    static constexpr bool kSignedDot = false;
    using Bytes = __m512i;
    using Ints = __m512i;
    using Floats = __m512;

    VITRINE_OP Bytes loadBytes(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
    template<int kFrom, int kCount>
    VITRINE_OP Bytes bits(Bytes v)
    {
        return _mm512_and_si512(_mm512_srli_epi16(v, kFrom), _mm512_set1_epi8((1 << kCount) - 1));
    }
    template<int kFrom, int kCount, int kTo>
    VITRINE_OP Bytes withBits(Bytes low, Bytes v)
    {
        constexpr int kAOrBAndC = 0xF8;
        const Bytes moved = kFrom > kTo ? _mm512_srli_epi16(v, std::max(kFrom - kTo, 0))
                                        : _mm512_slli_epi16(v, std::max(kTo - kFrom, 0));
        const Bytes mask = _mm512_set1_epi8(static_cast<char>(((1 << kCount) - 1) << kTo));
        return _mm512_ternarylogic_epi32(low, moved, mask, kAOrBAndC);
    }
    template<class Table>
    VITRINE_OP Bytes lookUp(const Table& table, Bytes indices)
    {
        const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.bytes));
        return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(values), indices);
    }
    VITRINE_OP Bytes addOffset128(Bytes codes) { return _mm512_xor_si512(codes, _mm512_set1_epi8(-128)); }

    VITRINE_OP Ints broadcastInt(std::int32_t value) { return _mm512_set1_epi32(value); }

    /// Two chains, as one of eight would wait for itself where there is only one activation row.
    template<class Codes>
    VITRINE_OP Ints dot(Ints start, const Bytes (&codes)[8], const std::int8_t* x)
    {
        Ints sums[2] = {start, _mm512_setzero_si512()};
        dotHalves<Codes>(sums, codes, x);
        return _mm512_add_epi32(sums[0], sums[1]);
    }
    template<class Codes>
    VITRINE_OP void dotHalves(Ints (&sums)[2], const Bytes (&codes)[8], const std::int8_t* x)
    {
        for (int i = 0; i < 4; ++i) {
            sums[0] = _mm512_dpbusd_epi32(sums[0], codes[i], broadcastFour(x + 4 * i));
            sums[1] = _mm512_dpbusd_epi32(sums[1], codes[i + 4], broadcastFour(x + 4 * i + 16));
        }
    }

    VITRINE_OP Floats toFloats(Ints ints) { return _mm512_cvtepi32_ps(ints); }
    VITRINE_OP Floats loadHalves(const std::uint8_t* halves)
    {
        return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves)));
    }
    VITRINE_OP Floats loadSigned(const std::uint8_t* bytes)
    {
        return toFloats(_mm512_cvtepi8_epi32(loadSmall(bytes)));
    }
    VITRINE_OP void loadNibblePairs(const std::uint8_t* bytes, Floats& low, Floats& high)
    {
        const Ints pairs = _mm512_cvtepu8_epi32(loadSmall(bytes));
        low = toFloats(_mm512_and_si512(pairs, _mm512_set1_epi32(15)));
        high = toFloats(_mm512_srli_epi32(pairs, 4));
    }
    VITRINE_OP Floats loadExponents(const std::uint8_t* bytes)
    {
        const Ints e = _mm512_cvtepu8_epi32(loadSmall(bytes));
        const Ints one = _mm512_set1_epi32(1);
        const Ints normal = _mm512_slli_epi32(_mm512_sub_epi32(e, one), 23);
        const Ints denormal = _mm512_slli_epi32(_mm512_add_epi32(e, one), 21);
        return _mm512_castsi512_ps(_mm512_max_epi32(normal, denormal));
    }
    VITRINE_OP Floats broadcast(float value) { return _mm512_set1_ps(value); }
    VITRINE_OP Floats mul(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    VITRINE_OP Floats mulAdd(Floats a, Floats b, Floats sum) { return _mm512_fmadd_ps(a, b, sum); }
    VITRINE_OP void store(float* to, Floats from) { _mm512_storeu_ps(to, from); }

private:
    VITRINE_OP __m128i loadSmall(const std::uint8_t* bytes)
    {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    }
    VITRINE_OP Ints broadcastFour(const std::int8_t* x)
    {
        std::int32_t four;
        std::memcpy(&four, x, sizeof four);
        return _mm512_set1_epi32(four);
    }
};

bool supported() noexcept
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

} // namespace

const MatmulBackend kMatmulAvx512Vnni{"avx512_vnni", &supported, &multiplyQuantized<Avx512Vnni>,
                                      &spinDots<Avx512Vnni>};

} // namespace vitrine::kernels
#endif
