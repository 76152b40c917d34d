// SPDX-License-Identifier: GPL-3.0-or-later
// Metadata values of a GGUF file, read where they lie in the mapped file: nothing is copied, nothing is
// aligned. Format: the GGUF specification, versions 2 and 3, little-endian.
#pragma once
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace vitrine {

static_assert(std::endian::native == std::endian::little, "GGUF values are read in place");

/// The numbers are those of the file.
enum class GgufType : std::uint32_t {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
};

/// "u32", "string", …; "type 77" for a number that is no type.
[[nodiscard]] std::string ggufTypeName(GgufType type);
/// Bytes of a number or bool; 0 for string, array and unknown types.
[[nodiscard]] std::size_t ggufScalarBytes(GgufType type) noexcept;

template<typename T>
[[nodiscard]] T loadUnaligned(const std::byte* from) noexcept
{
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// An array of strings: a forward range of std::string_view into the file.
class GgufStrings {
public:
    class Iterator {
    public:
        using value_type = std::string_view;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        explicit Iterator(const std::byte* at)
            : m_at(at)
        {
        }
        std::string_view operator*() const
        {
            return {reinterpret_cast<const char*>(m_at) + sizeof(std::uint64_t), length()};
        }
        Iterator& operator++()
        {
            m_at += sizeof(std::uint64_t) + length();
            return *this;
        }
        Iterator operator++(int)
        {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(Iterator, Iterator) = default;

    private:
        [[nodiscard]] std::size_t length() const { return loadUnaligned<std::uint64_t>(m_at); }
        const std::byte* m_at = nullptr;
    };

    GgufStrings() = default;
    /// `bytes`: checked, `count` strings, each with its length as u64 before it.
    GgufStrings(std::span<const std::byte> bytes, std::size_t count)
        : m_bytes(bytes)
        , m_count(count)
    {
    }

    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] Iterator begin() const { return Iterator(m_bytes.data()); }
    [[nodiscard]] Iterator end() const { return Iterator(m_bytes.data() + m_bytes.size()); }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_count = 0;
};

/// An array of numbers that the file holds exactly as T.
template<typename T>
class GgufNumbers {
public:
    GgufNumbers() = default;
    explicit GgufNumbers(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    [[nodiscard]] std::size_t size() const { return m_bytes.size() / sizeof(T); }
    [[nodiscard]] T operator[](std::size_t i) const
    {
        return loadUnaligned<T>(m_bytes.data() + i * sizeof(T));
    }

private:
    std::span<const std::byte> m_bytes;
};

/// One metadata value. Lives as long as the GgufFile it comes from.
class GgufValue {
public:
    GgufValue(GgufType type, GgufType elementType, std::size_t count, std::span<const std::byte> bytes)
        : m_type(type)
        , m_elementType(elementType)
        , m_count(count)
        , m_bytes(bytes)
    {
    }

    [[nodiscard]] GgufType type() const { return m_type; }
    /// Of an array; the type itself otherwise.
    [[nodiscard]] GgufType elementType() const { return m_elementType; }
    /// Elements of an array; 1 otherwise.
    [[nodiscard]] std::size_t count() const { return m_count; }
    /// "string", "array of 49152 strings" …: for messages.
    [[nodiscard]] std::string typeName() const;

    /// The value as T, where it is one: any integer that fits for an integer T; any number for a floating T;
    /// bool, std::string_view, GgufStrings and GgufNumbers<T> exactly.
    template<typename T>
    [[nodiscard]] std::optional<T> as() const;

    /// Element `i` of an array of numbers or bools (or the scalar itself for 0) as T; as() says which fit.
    template<typename T>
    [[nodiscard]] std::optional<T> numberAt(std::size_t i) const;

private:
    template<typename T>
    [[nodiscard]] const std::byte* element(std::size_t i) const
    {
        return m_bytes.data() + i * sizeof(T);
    }

    GgufType m_type;
    GgufType m_elementType;
    std::size_t m_count;
    std::span<const std::byte> m_bytes; ///< without the length of a string, without the header of an array
};

/// What T is called in messages about a value that is something else.
template<typename T>
[[nodiscard]] constexpr std::string_view ggufExpectation();

} // namespace vitrine

#include "engine/gguf/gguf_value.inl.h"
