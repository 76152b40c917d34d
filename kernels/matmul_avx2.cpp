// SPDX-License-Identifier: GPL-3.0-or-later
// 256-bit registers; the product of unsigned and signed bytes gives 16-bit sums of two, which saturate.
#if defined(__x86_64__)
#include <immintrin.h>

#define VITRINE_SIMD __attribute__((target("avx2,f16c,fma")))
#define VITRINE_OP [[gnu::always_inline]] VITRINE_SIMD static inline
#include "kernels/matmul_x86_256.h"

namespace vitrine::kernels {
namespace {

struct Avx2 : X86Registers256 {
    static constexpr bool kSignedDot = true;

    template<class Codes>
    VITRINE_OP Ints dot(Ints start, const Bytes (&codes)[8], const std::int8_t* x)
    {
        if constexpr (Codes::kSigned)
            return dotSigned(start, codes, x);
        else
            return dotUnsigned<Codes::kMaxCode>(start, codes, x);
    }

private:
    /// Adds as many products as fit in 16 bits before it widens: for 4-bit codes all of them.
    template<int kMaxCode>
    VITRINE_OP Ints dotUnsigned(Ints sum, const Bytes (&codes)[8], const std::int8_t* x)
    {
        constexpr int kFit = std::min(8, 32767 / (2 * 127 * kMaxCode));
        static_assert(kFit > 0 && 8 % kFit == 0);
        for (int first = 0; first < 8; first += kFit) {
            __m256i pairs = _mm256_maddubs_epi16(codes[first], broadcastFour(x + 4 * first));
            for (int i = first + 1; i < first + kFit; ++i)
                pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(codes[i], broadcastFour(x + 4 * i)));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
        return sum;
    }

    /// |code| * (x with the code's sign): two of them are at most 2 * 128 * 127 and fit.
    VITRINE_OP Ints dotSigned(Ints sum, const Bytes (&codes)[8], const std::int8_t* x)
    {
        for (int i = 0; i < 8; ++i) {
            const Bytes signedX = _mm256_sign_epi8(broadcastFour(x + 4 * i), codes[i]);
            const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(codes[i]), signedX);
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
        return sum;
    }
};

bool supported() noexcept
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

} // namespace

const MatmulBackend kMatmulAvx2{"avx2", &supported, &multiplyQuantized<Avx2>, &spinDots<Avx2>};

} // namespace vitrine::kernels
#endif
