// SPDX-License-Identifier: GPL-3.0-or-later
// AVX-VNNI: Intel's client CPUs since Alder Lake, AMD since Zen 5.
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define VITRINE_SIMD __attribute__((target("avx2,avxvnni,f16c,fma")))
#define VITRINE_OP [[gnu::always_inline]] VITRINE_SIMD static inline
#define VITRINE_DPBUSD _mm256_dpbusd_avx_epi32
#include "kernels/matmul_vnni_256.h"

namespace vitrine::kernels {
namespace {

bool supported() noexcept
{
    constexpr unsigned kAvxVnni = 1U << 4; // of leaf 7, sub-leaf 1, eax
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax & kAvxVnni) && hasAvx2();
}

} // namespace

const MatmulBackend kMatmulAvxVnni{"avx_vnni", &supported, &multiplyQuantized<Vnni256>, &spinDots<Vnni256>};

} // namespace vitrine::kernels
#endif
