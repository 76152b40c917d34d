// SPDX-License-Identifier: GPL-3.0-or-later
// One number for the state of a whole pool. Pool and views compute it apart from each other and compare.
#pragma once
#include "engine/ids.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <span>

namespace vitrine {

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014): each input bit reaches each output bit.
[[nodiscard]] constexpr std::uint64_t mixBits(std::uint64_t x) noexcept
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/// One block's share of the checksum. The pool's is the XOR over all blocks, so a change costs two of these.
[[nodiscard]] constexpr std::uint64_t blockChecksum(BlockId id, const BlockState& state) noexcept
{
    const auto counts = (std::uint64_t(std::uint32_t(state.refCount)) << 32) | std::uint32_t(state.filled);
    const auto identity = (std::uint64_t(id.value) << 1) | std::uint64_t(state.hashed);
    return mixBits(mixBits(mixBits(identity) ^ counts) ^ state.hash);
}

/// The whole sum, from scratch; `blocks` starts with the null block.
[[nodiscard]] inline std::uint64_t poolChecksum(std::span<const BlockState> blocks) noexcept
{
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < blocks.size(); ++i)
        sum ^= blockChecksum(BlockId{i}, blocks[i]);
    return sum;
}

} // namespace vitrine
