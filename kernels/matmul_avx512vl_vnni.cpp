// SPDX-License-Identifier: GPL-3.0-or-later
// As AVX-VNNI in the form that AVX-512 machines know. These have the 512-bit registers too, which are faster:
// this one is here so that they can test what runs on AVX-VNNI machines.
#if defined(__x86_64__)
#include <immintrin.h>

#define VITRINE_SIMD __attribute__((target("avx2,avx512f,avx512vl,avx512vnni,f16c,fma")))
#define VITRINE_OP [[gnu::always_inline]] VITRINE_SIMD static inline
#define VITRINE_DPBUSD _mm256_dpbusd_epi32
#include "kernels/matmul_vnni_256.h"

namespace vitrine::kernels {
namespace {

bool supported() noexcept
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vnni");
}

} // namespace

const MatmulBackend kMatmulAvx512VlVnni{"avx512vl_vnni", &supported, &multiplyQuantized<Vnni256>,
                                        &spinDots<Vnni256>};

} // namespace vitrine::kernels
#endif
