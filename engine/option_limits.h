// SPDX-License-Identifier: GPL-3.0-or-later
// The greatest values of EngineOptions that people can set: on the command line, in the window, in the
// settings' file. More is a typing error, or would not fit into the engine's books.
#pragma once
#include <cstdint>

namespace vitrine {

inline constexpr std::int32_t kMostBlockSize = 4096;
/// 64 million slots of 16; the pool's own books then take about half a gigabyte.
inline constexpr std::int32_t kMostBlocks = 1 << 22;
inline constexpr std::int32_t kMostSequences = 1 << 16;
inline constexpr std::int32_t kMostBatchedTokens = 1 << 24;
inline constexpr std::int32_t kMostModelLen = 1 << 28;
inline constexpr double kMostStepStretch = 1e6;
inline constexpr double kMostWatermark = 0.99;
inline constexpr std::int32_t kMostKvCacheMib = 1 << 24;
inline constexpr int kMostThreads = 1024;

} // namespace vitrine
