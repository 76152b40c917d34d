// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"

namespace vitrine {

/// Bytes that this machine can still give to a process without swapping; 0 where that is not known.
[[nodiscard]] std::int64_t availableMemoryBytes();

/// `wanted` with num_blocks and max_model_len filled in: num_blocks as given, or from kv_cache_mib, or, where
/// neither is given, enough for one whole context and at least kDefaultKvBytes, within half of the available memory.
/// Refuses, with numbers, a pool that does not fit.
[[nodiscard]] Result<SchedulerOptions> fitKvCache(const ModelSpec& spec, const EngineOptions& wanted,
                                                  std::int64_t availableBytes);

/// 512 MiB: over 23,000 tokens of the starter model, which is several long chats.
inline constexpr std::int64_t kDefaultKvBytes = std::int64_t{512} << 20;

} // namespace vitrine
