// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/formats.h"

#include <type_traits>

namespace vitrine::kernels {

/// 16 rows of a packed quantised matrix: from left to right for each 32 columns the codes, then the scales.
/// Together, so that the memory is read as one stream.
template<class Format, class Byte = std::byte>
class PackedGroup {
    template<class T>
    using Like = std::conditional_t<std::is_const_v<Byte>, const T, T>;

public:
    static constexpr std::size_t kBlockBytes = Format::Codes::kBytes + Format::Scales::kBytes;

    explicit PackedGroup(Byte* group)
        : m_group(group)
    {
    }

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t columns) noexcept
    {
        return columns / format::kColumns * kBlockBytes;
    }

    [[nodiscard]] Like<std::uint8_t>* codes(std::size_t block) const noexcept
    {
        return reinterpret_cast<Like<std::uint8_t>*>(m_group + block * kBlockBytes);
    }
    [[nodiscard]] Like<std::uint16_t>* scales(std::size_t block) const noexcept
    {
        return reinterpret_cast<Like<std::uint16_t>*>(m_group + block * kBlockBytes + Format::Codes::kBytes);
    }

private:
    Byte* m_group;
};

} // namespace vitrine::kernels
