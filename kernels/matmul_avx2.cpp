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
        return dotVectors<Codes, 8>(start, codes, x);
    }
    template<class Codes>
    VITRINE_OP void dotHalves(Ints (&sums)[2], const Bytes (&codes)[8], const std::int8_t* x)
    {
        sums[0] = dotVectors<Codes, 4>(sums[0], codes, x);
        sums[1] = dotVectors<Codes, 4>(sums[1], codes + 4, x + 16);
    }

private:
    /// Adds as many products as fit in 16 bits before it widens: for 4-bit codes all of them.
    template<class Codes, int kVectors>
    VITRINE_OP Ints dotVectors(Ints sum, const Bytes* codes, const std::int8_t* x)
    {
        constexpr unsigned kFitting = Codes::kSigned ? 1 : 32767 / (2 * 127 * Codes::kMaxCode);
        constexpr int kFit = std::min(kVectors, static_cast<int>(std::bit_floor(kFitting)));
        static_assert(kFit > 0 && kVectors % kFit == 0);
        for (int first = 0; first < kVectors; first += kFit) {
            __m256i pairs = multiplyPairs<Codes::kSigned>(codes[first], broadcastFour(x + 4 * first));
            for (int i = first + 1; i < first + kFit; ++i)
                pairs = _mm256_add_epi16(pairs,
                                         multiplyPairs<Codes::kSigned>(codes[i], broadcastFour(x + 4 * i)));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
        return sum;
    }

    /// Signed: |code| * (x with the code's sign): two of them are at most 2 * 128 * 127 and fit.
    template<bool kSigned>
    VITRINE_OP __m256i multiplyPairs(Bytes codes, Bytes x)
    {
        if constexpr (kSigned)
            return _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(x, codes));
        else
            return _mm256_maddubs_epi16(codes, x);
    }
};

} // namespace

const MatmulBackend kMatmulAvx2{"avx2", &hasAvx2, &multiplyQuantized<Avx2>, &spinDots<Avx2>};

} // namespace vitrine::kernels
#endif
