// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/memory_room.h"

namespace vitrine {

/// What the largest step that `options` allow works on. On the processor: its float rows, and half as much
/// again for their copies as int8. On a graphics card: what CudaBackend reserves for it, logits included.
[[nodiscard]] std::int64_t activationBytes(const ModelSpec& spec, const SchedulerOptions& options,
                                           bool onCard);

/// `wanted` with num_blocks and max_model_len filled in: num_blocks as given, or from kv_cache_mib, or, where
/// neither is given, enough for one whole context and at least kDefaultKvBytes, within half of the room; on a
/// graphics card, enough for max_num_seqs contexts, within nine tenths of the room less a reserve.
/// Refuses, with numbers, a pool that does not fit into the machine's memory; whether it fits under a limit
/// of the address space shows when it is allocated.
[[nodiscard]] Result<SchedulerOptions> fitKvCache(const ModelSpec& spec, const EngineOptions& wanted,
                                                  MemoryRoom room);

/// 512 MiB: over 23,000 tokens of the starter model, which is several long chats.
inline constexpr std::int64_t kDefaultKvBytes = std::int64_t{512} << 20;

} // namespace vitrine
