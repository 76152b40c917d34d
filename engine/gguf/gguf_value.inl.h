// SPDX-License-Identifier: GPL-3.0-or-later
// The templates of gguf_value.h.
#pragma once
#include "engine/gguf/gguf_value.h"

#include <utility>

namespace vitrine {
namespace gguf_detail {

template<typename T>
inline constexpr bool kIsNumbers = false;
template<typename T>
inline constexpr bool kIsNumbers<GgufNumbers<T>> = true;

template<typename T>
constexpr GgufType typeOf()
{
    if constexpr (std::is_same_v<T, std::uint8_t>)
        return GgufType::U8;
    else if constexpr (std::is_same_v<T, std::int8_t>)
        return GgufType::I8;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return GgufType::U16;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return GgufType::I16;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return GgufType::U32;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return GgufType::I32;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return GgufType::U64;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return GgufType::I64;
    else if constexpr (std::is_same_v<T, float>)
        return GgufType::F32;
    else
        return GgufType::F64;
}

template<typename T, typename Stored>
std::optional<T> converted(Stored stored)
{
    if constexpr (std::is_same_v<T, Stored>)
        return stored;
    else if constexpr (std::floating_point<T>)
        return static_cast<T>(stored);
    else if constexpr (std::integral<Stored>)
        return std::in_range<T>(stored) ? std::optional<T>(static_cast<T>(stored)) : std::nullopt;
    else
        return std::nullopt;
}

} // namespace gguf_detail

template<typename T>
std::optional<T> GgufValue::numberAt(std::size_t i) const
{
    static_assert(std::is_arithmetic_v<T>);
    using gguf_detail::converted;
    if (i >= m_count)
        return std::nullopt;
    if constexpr (std::is_same_v<T, bool>) {
        if (m_elementType != GgufType::Bool)
            return std::nullopt;
        return *element<std::uint8_t>(i) != std::byte{0};
    } else {
        switch (m_elementType) {
        case GgufType::U8:
            return converted<T>(loadUnaligned<std::uint8_t>(element<std::uint8_t>(i)));
        case GgufType::I8:
            return converted<T>(loadUnaligned<std::int8_t>(element<std::int8_t>(i)));
        case GgufType::U16:
            return converted<T>(loadUnaligned<std::uint16_t>(element<std::uint16_t>(i)));
        case GgufType::I16:
            return converted<T>(loadUnaligned<std::int16_t>(element<std::int16_t>(i)));
        case GgufType::U32:
            return converted<T>(loadUnaligned<std::uint32_t>(element<std::uint32_t>(i)));
        case GgufType::I32:
            return converted<T>(loadUnaligned<std::int32_t>(element<std::int32_t>(i)));
        case GgufType::U64:
            return converted<T>(loadUnaligned<std::uint64_t>(element<std::uint64_t>(i)));
        case GgufType::I64:
            return converted<T>(loadUnaligned<std::int64_t>(element<std::int64_t>(i)));
        case GgufType::F32:
            return converted<T>(loadUnaligned<float>(element<float>(i)));
        case GgufType::F64:
            return converted<T>(loadUnaligned<double>(element<double>(i)));
        case GgufType::Bool:
        case GgufType::String:
        case GgufType::Array:
            break;
        }
        return std::nullopt;
    }
}

template<typename T>
std::optional<T> GgufValue::as() const
{
    if constexpr (std::is_same_v<T, std::string_view>) {
        if (m_type != GgufType::String)
            return std::nullopt;
        return std::string_view(reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size());
    } else if constexpr (std::is_same_v<T, GgufStrings>) {
        if (m_type != GgufType::Array || m_elementType != GgufType::String)
            return std::nullopt;
        return GgufStrings(m_bytes, m_count);
    } else if constexpr (gguf_detail::kIsNumbers<T>) {
        using Number = decltype(std::declval<T>()[0]);
        if (m_type != GgufType::Array || m_elementType != gguf_detail::typeOf<Number>())
            return std::nullopt;
        return T(m_bytes);
    } else {
        return m_type == GgufType::Array ? std::nullopt : numberAt<T>(0);
    }
}

template<typename T>
constexpr std::string_view ggufExpectation()
{
    if constexpr (std::is_same_v<T, bool>)
        return "a bool";
    else if constexpr (std::is_same_v<T, std::string_view>)
        return "a string";
    else if constexpr (std::is_same_v<T, GgufStrings>)
        return "an array of strings";
    else if constexpr (gguf_detail::kIsNumbers<T>)
        return "an array of numbers";
    else if constexpr (std::floating_point<T>)
        return "a number";
    else if constexpr (std::signed_integral<T>)
        return "an integer in range";
    else
        return "an integer of at least 0 in range";
}

} // namespace vitrine
