// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <exception>
#include <string>

namespace vitrine {

/// Bytes that this process can still get, from whom it must have both.
struct MemoryRoom {
    std::int64_t machineBytes = 0; ///< without swapping; 0: not known
    /// Below the limit of the address space (RLIMIT_AS, `ulimit -v`); 0: no limit.
    std::int64_t addressBytes = 0;
    bool onCard = false; ///< the graphics card's own memory: for the model alone

    /// With so many bytes given to something else.
    [[nodiscard]] MemoryRoom without(std::int64_t bytes) const;
    /// With so many bytes given back.
    [[nodiscard]] MemoryRoom with(std::int64_t bytes) const { return without(-bytes); }
    /// The smaller of the two; 0: neither is known.
    [[nodiscard]] std::int64_t bytes() const;
    /// "120 MiB of memory are available", or what the limit leaves, where that is less.
    [[nodiscard]] std::string text() const;
};

[[nodiscard]] MemoryRoom memoryRoom();

/// What an exception says, in words: for the want of memory, how much there is.
[[nodiscard]] std::string reasonOf(const std::exception& error);

} // namespace vitrine
