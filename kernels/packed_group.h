// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/format/formats.h"

#include <type_traits>

namespace vitrine::kernels {

/// 16 rows of a packed quantised matrix: from left to right for each block of the file's type (32 or 256
/// columns) what its scales have in common, then for each 32 columns the codes and the scales. Strictly in
/// the order of use, so that the memory is read as one stream: with the scales of 256 columns behind their
/// codes the processor's own prefetching reached half of the bandwidth.
template<class Format, class Byte = std::byte>
class PackedGroup {
    template<class T>
    using Like = std::conditional_t<std::is_const_v<Byte>, const T, T>;

public:
    /// Packed blocks, of 32 columns, in a block of the file.
    static constexpr std::size_t kParts = Format::kBlockColumns / format::kColumns;
    static constexpr std::size_t kPartBytes = Format::Codes::kBytes + Format::Scales::kBytes;
    static constexpr std::size_t kBytes = Format::Scales::kCommonBytes + kParts * kPartBytes;

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
        return block(index) + Format::Scales::kCommonBytes + index % kParts * kPartBytes;
    }
    [[nodiscard]] format::ScalePlace<Like<std::uint8_t>> scales(std::size_t index) const noexcept
    {
        return {codes(index) + Format::Codes::kBytes, block(index)};
    }

    /// Asks for what follows block `index` by kAheadBytes; beyond the group that is the next one.
    void prefetch(std::size_t index) const noexcept { ask<3>(index, kAheadBytes); }

    /// The same into the second cache, further ahead.
    void prefetchFar(std::size_t index) const noexcept { ask<2>(index, kFarAheadBytes); }

private:
    /// Six to fourteen blocks: 1 KiB came too late, more than 4 KiB pushed the activations out of the cache.
    static constexpr std::size_t kAheadBytes = 3072;
    static constexpr std::size_t kFarAheadBytes = 4096;

    /// kLocality as __builtin_prefetch has it: 3 for the first cache, 2 for the second.
    template<int kLocality>
    void ask(std::size_t index, std::size_t aheadBytes) const noexcept
    {
        constexpr std::size_t kLine = 64;
        const Byte* ahead = m_group + index * (kBytes / kParts) + aheadBytes;
        for (std::size_t at = 0; at < kBytes / kParts; at += kLine)
            __builtin_prefetch(ahead + at, 0, kLocality);
    }

    [[nodiscard]] Like<std::uint8_t>* block(std::size_t index) const noexcept
    {
        return reinterpret_cast<Like<std::uint8_t>*>(m_group) + index / kParts * kBytes;
    }

    Byte* m_group;
};

} // namespace vitrine::kernels
