// SPDX-License-Identifier: GPL-3.0-or-later
// What is refused before any work starts: options that make no sense, sequences that could never run.
#pragma once
#include "engine/cache/kv_allocator.h"
#include "engine/engine_options.h"
#include "engine/error.h"
#include "engine/schedule/sequence.h"

#include <cstdint>

namespace vitrine {

/// The error names the option, its value and what is allowed.
[[nodiscard]] Result<void> checkOptions(const SchedulerOptions& options);

/// The most tokens (prompt + answer) that a sequence may reach, at least prompt + 1; or why it could never
/// run, with numbers and advice. `maxTokens` as in SequenceSpec.
[[nodiscard]] Result<std::int32_t> maxTotalTokens(std::int64_t promptTokens, std::int32_t maxTokens,
                                                  const SchedulerOptions& options,
                                                  const KvAllocator& allocator);

} // namespace vitrine
