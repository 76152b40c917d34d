// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernel tests share: buffers that show every touch beyond them, random inputs, derived tolerances.
#pragma once
#include "kernels/half.h"
#include "kernels/simd_targets.h"
#include "kernels/tensor_type.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace vitrine::kernels {

/// Unit roundoff of float.
inline constexpr double kEpsilon = 0x1p-24;

inline constexpr TensorType kAllTypes[] = {
    TensorType::F32,  TensorType::F16,    TensorType::BF16,   TensorType::Q4_0,
    TensorType::Q4_1, TensorType::Q5_0,   TensorType::Q5_1,   TensorType::Q8_0,
    TensorType::Q2_K, TensorType::Q3_K,   TensorType::Q4_K,   TensorType::Q5_K,
    TensorType::Q6_K, TensorType::IQ4_NL, TensorType::IQ4_XS, TensorType::MXFP4,
};

/// At least so many columns: whole blocks of the type.
inline std::size_t wholeBlocks(TensorType type, std::size_t columns)
{
    const std::size_t block = tensorTypeInfo(type).blockElements;
    return (columns + block - 1) / block * block;
}

/// Allocated to size, so that the address sanitizer sees one element too far; every float is NaN at first, so
/// that a missed one shows.
class ExactFloats {
public:
    explicit ExactFloats(std::size_t size)
        : m_size(size)
        , m_data(new float[size])
    {
        std::ranges::fill(span(), std::numeric_limits<float>::quiet_NaN());
    }
    explicit ExactFloats(std::span<const float> from)
        : ExactFloats(from.size())
    {
        std::ranges::copy(from, m_data.get());
    }

    [[nodiscard]] float* data() const { return m_data.get(); }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] std::span<float> span() const { return {m_data.get(), m_size}; }
    [[nodiscard]] std::span<const float> constSpan() const { return {m_data.get(), m_size}; }
    float& operator[](std::size_t i) const { return m_data[i]; }

private:
    std::size_t m_size;
    std::unique_ptr<float[]> m_data;
};

class Random {
public:
    explicit Random(std::uint32_t seed)
        : m_state(seed * 2654435761U + 1)
    {
    }
    float uniform(float low, float high)
    {
        return low + (high - low) * static_cast<float>(bits() >> 8) * 0x1p-24F;
    }
    /// Marsaglia's xorshift: quick, as many tests need millions.
    std::uint32_t bits()
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 17;
        return m_state ^= m_state << 5;
    }

    std::vector<float> floats(std::size_t size, float magnitude = 1)
    {
        std::vector<float> values(size);
        for (float& value : values)
            value = uniform(-magnitude, magnitude);
        return values;
    }

    /// Rows in the file's layout: random codes, scales of ordinary size.
    std::vector<std::byte> weights(TensorType type, std::size_t rows, std::size_t columns)
    {
        const TensorTypeInfo& info = tensorTypeInfo(type);
        std::vector<std::byte> bytes(rows * rowBytes(type, columns));
        for (std::size_t at = 0; at < bytes.size(); at += info.blockBytes)
            writeBlock(type, info.blockBytes, bytes.data() + at);
        return bytes;
    }

    /// Gives a block scales (and minima) of ordinary size.
    void writeScales(TensorType type, std::byte* block)
    {
        switch (type) {
        case TensorType::Q4_1:
        case TensorType::Q5_1:
            return putHalves(block, 0.1F, 1);
        case TensorType::Q2_K:
            return putHalves(block + 80, 0.02F, 0.02F);
        case TensorType::Q3_K:
            return put(block + 108, floatToHalf(uniform(-0.01F, 0.01F)));
        case TensorType::Q4_K:
        case TensorType::Q5_K:
            return putHalves(block, 0.01F, 0.01F);
        case TensorType::Q6_K:
            return put(block + 208, floatToHalf(uniform(-1e-3F, 1e-3F)));
        case TensorType::IQ4_XS:
            return put(block, floatToHalf(uniform(-1e-3F, 1e-3F)));
        case TensorType::MXFP4:
            return put(block, static_cast<std::uint8_t>(118 + bits() % 8));
        default:
            return put(block, floatToHalf(uniform(-0.1F, 0.1F)));
        }
    }

private:
    template<class T>
    static void put(std::byte* at, T value)
    {
        std::memcpy(at, &value, sizeof value);
    }

    void putHalves(std::byte* at, float firstMagnitude, float secondMagnitude)
    {
        put(at, floatToHalf(uniform(-firstMagnitude, firstMagnitude)));
        put(at + 2, floatToHalf(uniform(-secondMagnitude, secondMagnitude)));
    }

    void writeBlock(TensorType type, std::size_t size, std::byte* block)
    {
        for (std::size_t i = 0; i < size; ++i)
            block[i] = static_cast<std::byte>(bits());
        switch (type) {
        case TensorType::F32:
            return put(block, uniform(-1, 1));
        case TensorType::F16:
            return put(block, floatToHalf(uniform(-1, 1)));
        case TensorType::BF16:
            return put(block, floatToBfloat(uniform(-1, 1)));
        default:
            return writeScales(type, block);
        }
    }

    std::uint32_t m_state;
};

/// Runs the rest of the scope on one vector instruction set.
class OnTarget {
public:
    explicit OnTarget(const SimdTarget& target) { useSimdTargetForTest(target); }
    ~OnTarget() { useBestSimdTarget(); }
    Q_DISABLE_COPY_MOVE(OnTarget)
};

/// The first element that differs by more than `tolerance(i)`, as text; empty where there is none. NaN
/// differs.
template<class Actual, class Expected, class Tolerance>
QString firstDifference(const Actual& actual, const Expected& expected, const Tolerance& tolerance)
{
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double difference = std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
        if (!(difference <= tolerance(i)))
            return QString("element %1 is %2, must be %3 within %4")
                .arg(i)
                .arg(static_cast<double>(actual[i]), 0, 'g', 9)
                .arg(static_cast<double>(expected[i]), 0, 'g', 9)
                .arg(tolerance(i));
    }
    return {};
}

/// Every bit of the floats is the same.
inline bool sameBits(std::span<const float> a, std::span<const float> b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

#define VITRINE_VERIFY_EMPTY(text)                                                                           \
    do {                                                                                                     \
        const QString message = (text);                                                                      \
        QVERIFY2(message.isEmpty(), qPrintable(message));                                                    \
    } while (false)

} // namespace vitrine::kernels
