// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

namespace vitrine {

/// What the machine can do at most, with the threads given.
struct MachineLimits {
    double readBytesPerSecond = 0; ///< from memory, as weights are read
    double dotsPerSecond = 0;      ///< multiply-adds of 8-bit integers
};

/// Best of several tries, as everything that disturbs makes a limit look lower. `bytes`: how much is read, to
/// be larger than the caches; so much memory is taken for it. About a second. `threads`: 0: the physical
/// cores.
[[nodiscard]] MachineLimits measureLimits(int threads, std::size_t bytes);

/// The first of them alone.
[[nodiscard]] double measureReadRate(int threads, std::size_t bytes);

} // namespace vitrine
