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
    template<int kFrom, int kCount>
    VITRINE_OP Bytes bits(Bytes v)
    {
        return vandq_s8(moved<kFrom, 0>(v), vdupq_n_s8((1 << kCount) - 1));
    }
    template<int kFrom, int kCount, int kTo>
    VITRINE_OP Bytes withBits(Bytes low, Bytes v)
    {
        const Bytes mask = vdupq_n_s8(static_cast<std::int8_t>(((1 << kCount) - 1) << kTo));
        return vorrq_s8(low, vandq_s8(moved<kFrom, kTo>(v), mask));
    }
    template<class Table>
    VITRINE_OP Bytes lookUp(const Table& table, Bytes indices)
    {
        return vqtbl1q_s8(loadBytes(table.bytes), vreinterpretq_u8_s8(indices));
    }

    VITRINE_OP Ints broadcastInt(std::int32_t value) { return vdupq_n_s32(value); }

    template<class Codes>
    VITRINE_OP Ints dot(Ints start, const Bytes (&codes)[8], const std::int8_t* x)
    {
        Ints sums[2] = {start, vdupq_n_s32(0)};
        dotHalves<Codes>(sums, codes, x);
        return vaddq_s32(sums[0], sums[1]);
    }
    /// Unsigned codes are at most 127 here: as signed bytes they are the same.
    template<class Codes>
    VITRINE_OP void dotHalves(Ints (&sums)[2], const Bytes (&codes)[8], const std::int8_t* x)
    {
        static_assert(Codes::kSigned || Codes::kMaxCode <= 127);
        const int8x16_t xLow = vld1q_s8(x);
        const int8x16_t xHigh = vld1q_s8(x + 16);
        sums[0] = vdotq_laneq_s32(sums[0], codes[0], xLow, 0);
        sums[1] = vdotq_laneq_s32(sums[1], codes[4], xHigh, 0);
        sums[0] = vdotq_laneq_s32(sums[0], codes[1], xLow, 1);
        sums[1] = vdotq_laneq_s32(sums[1], codes[5], xHigh, 1);
        sums[0] = vdotq_laneq_s32(sums[0], codes[2], xLow, 2);
        sums[1] = vdotq_laneq_s32(sums[1], codes[6], xHigh, 2);
        sums[0] = vdotq_laneq_s32(sums[0], codes[3], xLow, 3);
        sums[1] = vdotq_laneq_s32(sums[1], codes[7], xHigh, 3);
    }

    VITRINE_OP Floats toFloats(Ints ints) { return vcvtq_f32_s32(ints); }
    VITRINE_OP Floats loadHalves(const std::uint8_t* halves)
    {
        return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(halves)));
    }
    VITRINE_OP Floats loadSigned(const std::uint8_t* bytes)
    {
        return toFloats(vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(loadSmall(bytes))))));
    }
    VITRINE_OP void loadNibblePairs(const std::uint8_t* bytes, Floats& low, Floats& high)
    {
        const Ints pairs = widen(loadSmall(bytes));
        low = toFloats(vandq_s32(pairs, vdupq_n_s32(15)));
        high = toFloats(vshrq_n_s32(pairs, 4));
    }
    VITRINE_OP Floats loadExponents(const std::uint8_t* bytes)
    {
        const Ints e = widen(loadSmall(bytes));
        const Ints one = vdupq_n_s32(1);
        const Ints normal = vshlq_n_s32(vsubq_s32(e, one), 23);
        const Ints denormal = vshlq_n_s32(vaddq_s32(e, one), 21);
        return vreinterpretq_f32_s32(vmaxq_s32(normal, denormal));
    }
    VITRINE_OP Floats broadcast(float value) { return vdupq_n_f32(value); }
    VITRINE_OP Floats mul(Floats a, Floats b) { return vmulq_f32(a, b); }
    VITRINE_OP Floats mulAdd(Floats a, Floats b, Floats sum) { return vfmaq_f32(sum, a, b); }
    VITRINE_OP void store(float* to, Floats from) { vst1q_f32(to, from); }

private:
    template<int kFrom, int kTo>
    VITRINE_OP Bytes moved(Bytes v)
    {
        const uint8x16_t bytes = vreinterpretq_u8_s8(v);
        if constexpr (kFrom > kTo)
            return vreinterpretq_s8_u8(vshrq_n_u8(bytes, kFrom - kTo));
        else
            return vreinterpretq_s8_u8(vshlq_n_u8(bytes, kTo - kFrom));
    }
    VITRINE_OP uint8x8_t loadSmall(const std::uint8_t* bytes)
    {
        std::uint32_t four;
        std::memcpy(&four, bytes, sizeof four);
        return vreinterpret_u8_u32(vdup_n_u32(four));
    }
    VITRINE_OP Ints widen(uint8x8_t bytes)
    {
        return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(bytes))));
    }
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
