// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as bytes: what recordings are made of. Little-endian; small numbers take one byte.
#pragma once
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace vitrine {

using Bytes = std::vector<std::uint8_t>;

class ByteWriter {
public:
    /// Appends to `out`.
    explicit ByteWriter(Bytes& out)
        : m_out(out)
    {
    }

    void byte(std::uint8_t value) { m_out.push_back(value); }
    /// Seven bits a byte, the lowest first; the top bit says that more follow (LEB128).
    void number(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            byte(std::uint8_t(value | 0x80));
        byte(std::uint8_t(value));
    }
    /// Small either way: 0, −1, 1, −2 … become 0, 1, 2, 3 …
    void difference(std::int64_t value) { number((std::uint64_t(value) << 1) ^ std::uint64_t(value >> 63)); }
    void fixed(std::uint64_t value)
    {
        for (int shift = 0; shift < 64; shift += 8)
            byte(std::uint8_t(value >> shift));
    }
    void real(double value) { fixed(std::bit_cast<std::uint64_t>(value)); }

private:
    Bytes& m_out;
};

/// Reads what ByteWriter wrote. Bytes that make no sense set failed(), and all that is read from then on is
/// 0: whoever reads asks once, at the end.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes)
        : m_bytes(bytes)
    {
    }

    [[nodiscard]] bool failed() const { return m_failed; }
    [[nodiscard]] std::size_t offset() const { return m_offset; }
    [[nodiscard]] std::size_t left() const { return m_failed ? 0 : m_bytes.size() - m_offset; }
    void fail() { m_failed = true; }

    std::uint8_t byte()
    {
        if (left() == 0) {
            fail();
            return 0;
        }
        return m_bytes[m_offset++];
    }
    /// At most `most`, or it fails.
    std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max())
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const std::uint64_t part = byte();
            if (shift == 63 && part > 1)
                break;
            value |= (part & 0x7F) << shift;
            if (part < 0x80)
                return value <= most ? value : failedNumber();
        }
        return failedNumber();
    }
    template<std::integral Int>
    Int as(std::uint64_t most = std::uint64_t(std::numeric_limits<Int>::max()))
    {
        return Int(number(most));
    }
    std::int64_t difference()
    {
        const std::uint64_t value = number();
        return std::int64_t(value >> 1) ^ -std::int64_t(value & 1);
    }
    std::uint64_t fixed()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 8)
            value |= std::uint64_t(byte()) << shift;
        return m_failed ? 0 : value;
    }
    double real() { return std::bit_cast<double>(fixed()); }

private:
    std::uint64_t failedNumber()
    {
        fail();
        return 0;
    }

    std::span<const std::uint8_t> m_bytes;
    std::size_t m_offset = 0;
    bool m_failed = false;
};

} // namespace vitrine
