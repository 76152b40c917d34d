// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/formats.h"

#include <type_traits>

namespace vitrine::kernels {

/// 16 rows of a packed quantised matrix: from left to right for each block of the file's type (32 or 256
/// columns) the codes, the scales, then what the scales have in common. Together, so that the memory is read
/// as one stream.
template<class Format, class Byte = std::byte>
class PackedGroup {
    template<class T>
    using Like = std::conditional_t<std::is_const_v<Byte>, const T, T>;

public:
    /// Packed blocks, of 32 columns, in a block of the file.
    static constexpr std::size_t kParts = Format::kBlockColumns / format::kColumns;
    static constexpr std::size_t kCodeBytes = kParts * Format::Codes::kBytes;
    static constexpr std::size_t kScaleBytes = kParts * Format::Scales::kBytes;
    static constexpr std::size_t kBytes = kCodeBytes + kScaleBytes + Format::Scales::kCommonBytes;

    explicit PackedGroup(Byte* group)
        : m_group(group)
    {
    }

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t columns) noexcept
    {
        return columns / Format::kBlockColumns * kBytes;
    }

    /// Of columns 32 * index …
    [[nodiscard]] Like<std::uint8_t>* codes(std::size_t index) const noexcept
    {
        return block(index) + index % kParts * Format::Codes::kBytes;
    }
    [[nodiscard]] format::ScalePlace<Like<std::uint8_t>> scales(std::size_t index) const noexcept
    {
        Like<std::uint8_t>* first = block(index) + kCodeBytes;
        return {first + index % kParts * Format::Scales::kBytes, first + kScaleBytes};
    }

private:
    [[nodiscard]] Like<std::uint8_t>* block(std::size_t index) const noexcept
    {
        return reinterpret_cast<Like<std::uint8_t>*>(m_group) + index / kParts * kBytes;
    }

    Byte* m_group;
};

} // namespace vitrine::kernels
