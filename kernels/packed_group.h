// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/formats.h"

#include <type_traits>

namespace vitrine::kernels {

/// 16 rows of a packed quantised matrix: the codes of all blocks from left to right, then the scales of all
/// blocks. (Apart, so that the codes' vectors stay on cache lines.)
template<class Format, class Byte = std::byte>
class PackedGroup {
    template<class T>
    using Like = std::conditional_t<std::is_const_v<Byte>, const T, T>;

public:
    PackedGroup(Byte* group, std::size_t columns)
        : m_codes(reinterpret_cast<Like<std::uint8_t>*>(group))
        , m_scales(group + columns / format::kColumns * Format::Codes::kBytes)
    {
    }

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t columns) noexcept
    {
        return columns / format::kColumns * (Format::Codes::kBytes + Format::Scales::kBytes);
    }

    [[nodiscard]] Like<std::uint8_t>* codes(std::size_t block) const noexcept
    {
        return m_codes + block * Format::Codes::kBytes;
    }
    [[nodiscard]] Like<std::uint16_t>* scales(std::size_t block) const noexcept
    {
        return reinterpret_cast<Like<std::uint16_t>*>(m_scales + block * Format::Scales::kBytes);
    }

private:
    Like<std::uint8_t>* m_codes;
    Byte* m_scales;
};

} // namespace vitrine::kernels
