// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor types as a thread reads them: eight columns of a row at a time. A row is cut into parts of 32
// columns, a part into four quads; quad q has columns 4q … 4q + 3 and 16 + 4q … 19 + 4q of its part, which is
// how most types pair their 4-bit codes. kernels/format says what the bytes mean.
#pragma once
#include "kernels/cuda/narrow.h"
#include "kernels/tensor_type.h"

#include <cstdint>

namespace vitrine::kernels::cuda::format {

inline constexpr int kPartColumns = 32;
inline constexpr int kQuads = 4;
inline constexpr int kQuadColumns = 8;

/// Column, within its part, of a quad's i-th value.
__device__ __forceinline__ int columnOf(int quad, int i)
{
    return 4 * quad + i % 4 + i / 4 * 16;
}

__device__ __forceinline__ float halfAt(const std::uint8_t* at)
{
    return __half2float(*reinterpret_cast<const __half*>(at));
}

/// Four bytes as one word, the first in the lowest bits. kAlignment: what is known of the address.
template<int kAlignment>
__device__ __forceinline__ std::uint32_t wordAt(const std::uint8_t* at)
{
    if constexpr (kAlignment >= 4) {
        return *reinterpret_cast<const std::uint32_t*>(at);
    } else if constexpr (kAlignment == 2) {
        const auto* halves = reinterpret_cast<const std::uint16_t*>(at);
        return halves[0] | static_cast<std::uint32_t>(halves[1]) << 16;
    } else {
        return at[0] | static_cast<std::uint32_t>(at[1]) << 8 | static_cast<std::uint32_t>(at[2]) << 16 |
               static_cast<std::uint32_t>(at[3]) << 24;
    }
}

/// Byte i of a word, `bits` of it from bit `first` on.
__device__ __forceinline__ int field(std::uint32_t word, int i, int first, int bits)
{
    return static_cast<int>(word >> (8 * i + first) & ((1U << bits) - 1));
}

/// Codes of a quad in pairs: the low halves of four bytes, then the high ones.
template<int kAlignment>
struct Nibbles {
    std::uint32_t word;

    __device__ Nibbles(const std::uint8_t* pairs, int quad)
        : word(wordAt<kAlignment>(pairs + 4 * quad))
    {
    }
    __device__ int operator[](int i) const { return field(word, i % 4, i / 4 * 4, 4); }
};

/// The fifth bits of 32 columns in 4 bytes.
__device__ __forceinline__ int fifthBit(std::uint32_t bits, int quad, int i)
{
    return static_cast<int>(bits >> columnOf(quad, i) & 1) << 4;
}

struct Q4_0 {
    static constexpr int kBlockColumns = 32;
    static constexpr int kBlockBytes = 18;

    __device__ static void decode(const std::uint8_t* block, int, int quad, float (&out)[kQuadColumns])
    {
        const float scale = halfAt(block);
        const Nibbles<2> codes(block + 2, quad);
        for (int i = 0; i < kQuadColumns; ++i)
            out[i] = scale * static_cast<float>(codes[i] - 8);
    }
};

struct Q4_1 {
    static constexpr int kBlockColumns = 32;
    static constexpr int kBlockBytes = 20;

    __device__ static void decode(const std::uint8_t* block, int, int quad, float (&out)[kQuadColumns])
    {
        const float scale = halfAt(block);
        const float minimum = halfAt(block + 2);
        const Nibbles<4> codes(block + 4, quad);
        for (int i = 0; i < kQuadColumns; ++i)
            out[i] = scale * static_cast<float>(codes[i]) + minimum;
    }
};

struct Q5_0 {
    static constexpr int kBlockColumns = 32;
    static constexpr int kBlockBytes = 22;

    __device__ static void decode(const std::uint8_t* block, int, int quad, float (&out)[kQuadColumns])
    {
        const float scale = halfAt(block);
        const std::uint32_t fifths = wordAt<2>(block + 2);
        const Nibbles<2> codes(block + 6, quad);
        for (int i = 0; i < kQuadColumns; ++i)
            out[i] = scale * static_cast<float>((codes[i] | fifthBit(fifths, quad, i)) - 16);
    }
};

struct Q5_1 {
    static constexpr int kBlockColumns = 32;
    static constexpr int kBlockBytes = 24;

    __device__ static void decode(const std::uint8_t* block, int, int quad, float (&out)[kQuadColumns])
    {
        const float scale = halfAt(block);
        const float minimum = halfAt(block + 2);
        const std::uint32_t fifths = wordAt<4>(block + 4);
        const Nibbles<4> codes(block + 8, quad);
        for (int i = 0; i < kQuadColumns; ++i)
            out[i] = scale * static_cast<float>(codes[i] | fifthBit(fifths, quad, i)) + minimum;
    }
};

struct Q8_0 {
    static constexpr int kBlockColumns = 32;
    static constexpr int kBlockBytes = 34;

    __device__ static void decode(const std::uint8_t* block, int, int quad, float (&out)[kQuadColumns])
    {
        const float scale = halfAt(block);
        for (int half = 0; half < 2; ++half) {
            const std::uint32_t word = wordAt<2>(block + 2 + 16 * half + 4 * quad);
            for (int i = 0; i < 4; ++i)
                out[4 * half + i] =
                    scale * static_cast<float>(static_cast<std::int8_t>(field(word, i, 0, 8)));
        }
    }
};

struct Q2_K {
    static constexpr int kBlockColumns = 256;
    static constexpr int kBlockBytes = 84;

    __device__ static void decode(const std::uint8_t* block, int part, int quad, float (&out)[kQuadColumns])
    {
        const float d = halfAt(block + 80);
        const float dmin = halfAt(block + 82);
        for (int half = 0; half < 2; ++half) {
            const int pair = block[2 * part + half];
            const float scale = d * static_cast<float>(pair & 15);
            const float minimum = dmin * static_cast<float>(pair >> 4);
            const std::uint32_t word = wordAt<4>(block + 16 + part / 4 * 32 + 16 * half + 4 * quad);
            for (int i = 0; i < 4; ++i)
                out[4 * half + i] = scale * static_cast<float>(field(word, i, part % 4 * 2, 2)) - minimum;
        }
    }
};

struct Q3_K {
    static constexpr int kBlockColumns = 256;
    static constexpr int kBlockBytes = 110;

    __device__ static void decode(const std::uint8_t* block, int part, int quad, float (&out)[kQuadColumns])
    {
        const float d = halfAt(block + 108);
        for (int half = 0; half < 2; ++half) {
            const float scale = d * static_cast<float>(smallScale(block + 96, 2 * part + half) - 32);
            const std::uint32_t low = wordAt<2>(block + 32 + part / 4 * 32 + 16 * half + 4 * quad);
            const std::uint32_t high = wordAt<2>(block + 16 * half + 4 * quad);
            for (int i = 0; i < 4; ++i)
                out[4 * half + i] =
                    scale *
                    static_cast<float>((field(low, i, part % 4 * 2, 2) | field(high, i, part, 1) << 2) - 4);
        }
    }

private:
    __device__ static int smallScale(const std::uint8_t* packed, int i)
    {
        return (packed[i % 8] >> (i / 8 * 4) & 15) | (packed[8 + i % 4] >> (i / 4 * 2) & 3) << 4;
    }
};

/// The head of Q4_K and Q5_K: value = scale * code - minimum.
struct KHead {
    float scale;
    float minimum;

    __device__ KHead(const std::uint8_t* block, int part)
    {
        const std::uint8_t* const packed = block + 4;
        int smallScale = packed[part % 4] & 63;
        int smallMinimum = packed[part % 4 + 4] & 63;
        if (part >= 4) {
            smallScale = (packed[part + 4] & 15) | packed[part - 4] >> 6 << 4;
            smallMinimum = packed[part + 4] >> 4 | packed[part] >> 6 << 4;
        }
        scale = halfAt(block) * static_cast<float>(smallScale);
        minimum = halfAt(block + 2) * static_cast<float>(smallMinimum);
    }
};

struct Q4_K {
    static constexpr int kBlockColumns = 256;
    static constexpr int kBlockBytes = 144;

    __device__ static void decode(const std::uint8_t* block, int part, int quad, float (&out)[kQuadColumns])
    {
        const KHead head(block, part);
        for (int half = 0; half < 2; ++half) {
            const std::uint32_t word = wordAt<4>(block + 16 + part / 2 * 32 + 16 * half + 4 * quad);
            for (int i = 0; i < 4; ++i)
                out[4 * half + i] =
                    head.scale * static_cast<float>(field(word, i, part % 2 * 4, 4)) - head.minimum;
        }
    }
};

struct Q5_K {
    static constexpr int kBlockColumns = 256;
    static constexpr int kBlockBytes = 176;

    __device__ static void decode(const std::uint8_t* block, int part, int quad, float (&out)[kQuadColumns])
    {
        const KHead head(block, part);
        for (int half = 0; half < 2; ++half) {
            const std::uint32_t low = wordAt<4>(block + 48 + part / 2 * 32 + 16 * half + 4 * quad);
            const std::uint32_t high = wordAt<4>(block + 16 + 16 * half + 4 * quad);
            for (int i = 0; i < 4; ++i)
                out[4 * half + i] = head.scale * static_cast<float>(field(low, i, part % 2 * 4, 4) |
                                                                    field(high, i, part, 1) << 4) -
                                    head.minimum;
        }
    }
};

struct Q6_K {
    static constexpr int kBlockColumns = 256;
    static constexpr int kBlockBytes = 210;

    __device__ static void decode(const std::uint8_t* block, int part, int quad, float (&out)[kQuadColumns])
    {
        const float d = halfAt(block + 208);
        const int quarter = part % 4;
        for (int half = 0; half < 2; ++half) {
            const float scale =
                d * static_cast<float>(static_cast<std::int8_t>(block[192 + 2 * part + half]));
            const std::uint32_t low = wordAt<2>(block + part / 4 * 64 + part % 2 * 32 + 16 * half + 4 * quad);
            const std::uint32_t high = wordAt<2>(block + 128 + part / 4 * 32 + 16 * half + 4 * quad);
            for (int i = 0; i < 4; ++i)
                out[4 * half + i] = scale * static_cast<float>((field(low, i, quarter / 2 * 4, 4) |
                                                                field(high, i, quarter * 2, 2) << 4) -
                                                               32);
        }
    }
};

/// The 16 values of IQ4_NL and IQ4_XS in two words of signed bytes each half: chosen by arithmetic, as a
/// table in memory would be read by 32 lanes at 32 places.
__device__ __forceinline__ float iq4Value(int code)
{
    constexpr std::uint64_t kNegative = 0xf6ea'ddcf'bfad'9881; // -10 -22 -35 -49 -65 -83 -104 -127
    constexpr std::uint64_t kPositive = 0x7159'4535'2619'0d01; // 113 89 69 53 38 25 13 1
    const std::uint64_t values = code < 8 ? kNegative : kPositive;
    return static_cast<float>(static_cast<std::int8_t>(values >> (code % 8 * 8) & 0xff));
}

struct IQ4_NL {
    static constexpr int kBlockColumns = 32;
    static constexpr int kBlockBytes = 18;

    __device__ static void decode(const std::uint8_t* block, int, int quad, float (&out)[kQuadColumns])
    {
        const float scale = halfAt(block);
        const Nibbles<2> codes(block + 2, quad);
        for (int i = 0; i < kQuadColumns; ++i)
            out[i] = scale * iq4Value(codes[i]);
    }
};

struct IQ4_XS {
    static constexpr int kBlockColumns = 256;
    static constexpr int kBlockBytes = 136;

    __device__ static void decode(const std::uint8_t* block, int part, int quad, float (&out)[kQuadColumns])
    {
        const int high = block[2 + part / 4] >> (part % 4 * 2) & 3;
        const int low = block[4 + part / 2] >> (part % 2 * 4) & 15;
        const float scale = halfAt(block) * static_cast<float>((high << 4 | low) - 32);
        const Nibbles<4> codes(block + 8 + 16 * part, quad);
        for (int i = 0; i < kQuadColumns; ++i)
            out[i] = scale * iq4Value(codes[i]);
    }
};

struct MXFP4 {
    static constexpr int kBlockColumns = 32;
    static constexpr int kBlockBytes = 17;

    __device__ static void decode(const std::uint8_t* block, int, int quad, float (&out)[kQuadColumns])
    {
        const float scale = scaleOf(block[0]);
        const Nibbles<1> codes(block + 1, quad);
        for (int i = 0; i < kQuadColumns; ++i)
            out[i] = scale * valueOf(codes[i]);
    }

private:
    /// 2^(e - 128), of which the two smallest are denormal.
    __device__ static float scaleOf(int e) { return e < 2 ? ldexpf(1.0F, e - 128) : ldexpf(0.5F, e - 127); }
    /// Twice the values of E2M1: 0 1 2 3 4 6 8 12, then the same with a minus.
    __device__ static float valueOf(int code)
    {
        constexpr std::uint64_t kValues = 0x0c08'0604'0302'0100;
        const auto magnitude = static_cast<float>(kValues >> (code % 8 * 8) & 0xff);
        return code < 8 ? magnitude : -magnitude;
    }
};

/// Rows of floats: any number of columns, read four at a time where it is a multiple of four.
template<class Element>
struct Plain {
    static constexpr int kBlockColumns = 1;
    static constexpr int kBlockBytes = static_cast<int>(sizeof(Element));

    struct alignas(4 * sizeof(Element)) Four {
        Element values[4];
    };

    /// `row` where the part begins.
    __device__ static void decode(const std::uint8_t* row, int, int quad, float (&out)[kQuadColumns])
    {
        for (int half = 0; half < 2; ++half) {
            const Four four = *reinterpret_cast<const Four*>(row + (16 * half + 4 * quad) * kBlockBytes);
            for (int i = 0; i < 4; ++i)
                out[4 * half + i] = widened(four.values[i]);
        }
    }
};

/// One row of a matrix.
template<class Format>
struct Row {
    const std::uint8_t* data;
    int columns;

    static constexpr bool kPlain = Format::kBlockColumns == 1;

    __device__ Row(const void* matrix, std::size_t row, int columnCount)
        : data(static_cast<const std::uint8_t*>(matrix) +
               row * static_cast<std::size_t>(columnCount / Format::kBlockColumns) * Format::kBlockBytes)
        , columns(columnCount)
    {
    }

    /// Parts that can be read by quads; columns beyond them are read one by one.
    [[nodiscard]] __device__ int parts() const
    {
        return kPlain && columns % 4 != 0 ? 0 : columns / kPartColumns;
    }
    __device__ void decode(int part, int quad, float (&out)[kQuadColumns]) const
    {
        if constexpr (kPlain) {
            Format::decode(data + part * kPartColumns * Format::kBlockBytes, 0, quad, out);
        } else {
            constexpr int kParts = Format::kBlockColumns / kPartColumns;
            Format::decode(data + static_cast<std::size_t>(part / kParts) * Format::kBlockBytes,
                           part % kParts, quad, out);
        }
    }
    /// Only of plain types, the others have whole parts.
    [[nodiscard]] __device__ float at(int column) const
    {
        if constexpr (std::is_same_v<Format, Plain<float>>)
            return reinterpret_cast<const float*>(data)[column];
        else if constexpr (std::is_same_v<Format, Plain<__half>>)
            return widened(reinterpret_cast<const __half*>(data)[column]);
        else if constexpr (std::is_same_v<Format, Plain<__nv_bfloat16>>)
            return widened(reinterpret_cast<const __nv_bfloat16*>(data)[column]);
        else
            return 0;
    }
};

/// Calls use(Format{}) for the type's format: the one place that names them all.
template<class Use>
auto withFormat(TensorType type, Use&& use)
{
    switch (type) {
    case TensorType::F16:
        return use(Plain<__half>{});
    case TensorType::BF16:
        return use(Plain<__nv_bfloat16>{});
    case TensorType::Q4_0:
        return use(Q4_0{});
    case TensorType::Q4_1:
        return use(Q4_1{});
    case TensorType::Q5_0:
        return use(Q5_0{});
    case TensorType::Q5_1:
        return use(Q5_1{});
    case TensorType::Q8_0:
        return use(Q8_0{});
    case TensorType::Q2_K:
        return use(Q2_K{});
    case TensorType::Q3_K:
        return use(Q3_K{});
    case TensorType::Q4_K:
        return use(Q4_K{});
    case TensorType::Q5_K:
        return use(Q5_K{});
    case TensorType::Q6_K:
        return use(Q6_K{});
    case TensorType::IQ4_NL:
        return use(IQ4_NL{});
    case TensorType::IQ4_XS:
        return use(IQ4_XS{});
    case TensorType::MXFP4:
        return use(MXFP4{});
    case TensorType::F32:
        break;
    }
    return use(Plain<float>{});
}

} // namespace vitrine::kernels::cuda::format
