// SPDX-License-Identifier: GPL-3.0-or-later
// One number for the state of a whole pool: what each block holds, and which sequences hold it where. Pool
// and views compute it apart from each other and compare. Both keep it up to date by each change (a few
// nanoseconds), so that it covers every step of every run and not only those that somebody debugs.
#pragma once
#include "engine/ids.h"
#include "engine/trace/step_record.h"

#include <cstdint>

namespace vitrine {

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014): each input bit reaches each output bit.
[[nodiscard]] constexpr std::uint64_t mixBits(std::uint64_t x) noexcept
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/// One block's share of the checksum. Shares are added (modulo 2^64), so a change costs two of these.
[[nodiscard]] constexpr std::uint64_t blockChecksum(BlockId id, const BlockState& state) noexcept
{
    const auto counts = (std::uint64_t(std::uint32_t(state.refCount)) << 32) | std::uint32_t(state.filled);
    const auto identity = (std::uint64_t(id.value) << 1) | std::uint64_t(state.hashed);
    return mixBits(mixBits(mixBits(identity) ^ counts) ^ state.hash);
}

/// The share of one table entry: the block is entry `position` of the sequence's table.
[[nodiscard]] constexpr std::uint64_t entryChecksum(BlockId id, SequenceId sequence,
                                                    std::int32_t position) noexcept
{
    constexpr std::uint64_t kEntry = 0x9E3779B97F4A7C15u; // keeps entries apart from blocks
    const auto place = (std::uint64_t(sequence.value) << 32) | std::uint32_t(position);
    return mixBits(mixBits(place + kEntry) ^ id.value);
}

/// The whole sum, from scratch.
[[nodiscard]] inline std::uint64_t poolChecksum(const PoolSnapshot& pool) noexcept
{
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < pool.blocks.size(); ++i)
        sum += blockChecksum(BlockId{i}, pool.blocks[i]);
    for (const SequenceState& state : pool.sequences)
        for (std::size_t i = 0; i < state.blockTable.size(); ++i)
            if (state.blockTable[i] != kNullBlock)
                sum += entryChecksum(state.blockTable[i], state.sequence, std::int32_t(i));
    return sum;
}

} // namespace vitrine
