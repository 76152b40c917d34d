// SPDX-License-Identifier: GPL-3.0-or-later
// 256-bit registers with the dot product of unsigned and signed bytes; included once VITRINE_SIMD and
// VITRINE_OP are defined. The target attribute decides on the instruction's form: VEX (AVX-VNNI) or EVEX
// (AVX-512 VL).
#pragma once
#include "kernels/matmul_x86_256.h"

namespace vitrine::kernels {
namespace {

struct Vnni256 : X86Registers256 {
    static constexpr bool kSignedDot = false;

    template<class Codes>
    VITRINE_OP Ints dot(Ints start, const Bytes (&codes)[8], const std::int8_t* x)
    {
        Ints sums[2] = {start, _mm256_setzero_si256()};
        dotHalves<Codes>(sums, codes, x);
        return _mm256_add_epi32(sums[0], sums[1]);
    }
    template<class Codes>
    VITRINE_OP void dotHalves(Ints (&sums)[2], const Bytes (&codes)[8], const std::int8_t* x)
    {
        for (int i = 0; i < 4; ++i) {
            sums[0] = VITRINE_DPBUSD(sums[0], codes[i], broadcastFour(x + 4 * i));
            sums[1] = VITRINE_DPBUSD(sums[1], codes[i + 4], broadcastFour(x + 4 * i + 16));
        }
    }
};

} // namespace
} // namespace vitrine::kernels
