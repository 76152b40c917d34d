// SPDX-License-Identifier: GPL-3.0-or-later
// 128-bit registers with the dot product of signed bytes (ARMv8.2 dotprod): ARM since Cortex-A75, Apple,
// Graviton 2.
#if defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>

#if defined(__clang__)
#define VITRINE_SIMD __attribute__((target("dotprod")))
#else
#define VITRINE_SIMD __attribute__((target("arch=armv8.2-a+dotprod")))
#endif
#define VITRINE_OP [[gnu::always_inline]] VITRINE_SIMD static inline
#include "kernels/matmul_tiles.h"

namespace vitrine::kernels {
namespace {

struct NeonDot {
    static constexpr std::size_t kLanes = 4;
    static constexpr int kTileRows = 8;
    static constexpr bool kSignedDot = true;
    using Bytes = int8x16_t;
    using Ints = int32x4_t;
    using Floats = float32x4_t;

    VITRINE_OP Bytes loadBytes(const std::uint8_t* from) { return vreinterpretq_s8_u8(vld1q_u8(from)); }
    VITRINE_OP Bytes lowNibbles(Bytes pairs) { return vandq_s8(pairs, vdupq_n_s8(15)); }
    VITRINE_OP Bytes highNibbles(Bytes pairs)
    {
        return vreinterpretq_s8_u8(vshrq_n_u8(vreinterpretq_u8_s8(pairs), 4));
    }

    /// Unsigned codes are at most 127 here: as signed bytes they are the same.
    template<class Codes>
    VITRINE_OP Ints dot(Ints start, const Bytes (&codes)[8], const std::int8_t* x)
    {
        static_assert(Codes::kSigned || Codes::kMaxCode <= 127);
        const int8x16_t xLow = vld1q_s8(x);
        const int8x16_t xHigh = vld1q_s8(x + 16);
        Ints low = vdotq_laneq_s32(start, codes[0], xLow, 0);
        Ints high = vdotq_laneq_s32(vdupq_n_s32(0), codes[4], xHigh, 0);
        low = vdotq_laneq_s32(low, codes[1], xLow, 1);
        high = vdotq_laneq_s32(high, codes[5], xHigh, 1);
        low = vdotq_laneq_s32(low, codes[2], xLow, 2);
        high = vdotq_laneq_s32(high, codes[6], xHigh, 2);
        low = vdotq_laneq_s32(low, codes[3], xLow, 3);
        high = vdotq_laneq_s32(high, codes[7], xHigh, 3);
        return vaddq_s32(low, high);
    }

    VITRINE_OP Floats toFloats(Ints ints) { return vcvtq_f32_s32(ints); }
    VITRINE_OP Floats loadHalves(const std::uint16_t* halves)
    {
        return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(halves)));
    }
    VITRINE_OP Floats broadcast(float value) { return vdupq_n_f32(value); }
    VITRINE_OP Floats mul(Floats a, Floats b) { return vmulq_f32(a, b); }
    VITRINE_OP Floats mulAdd(Floats a, Floats b, Floats sum) { return vfmaq_f32(sum, a, b); }
    VITRINE_OP void store(float* to, Floats from) { vst1q_f32(to, from); }
};

bool supported() noexcept
{
    constexpr unsigned long kAsimdDp = 1UL << 20; // HWCAP_ASIMDDP of the Linux kernel's interface
    return (getauxval(AT_HWCAP) & kAsimdDp) != 0;
}

} // namespace

const MatmulBackend kMatmulNeonDot{"neon_dot", &supported, &multiplyQuantized<NeonDot>, &spinDots<NeonDot>};

} // namespace vitrine::kernels
#endif
