// SPDX-License-Identifier: GPL-3.0-or-later
// One number for the state of a whole pool. Pool and views compute it apart from each other and compare.
#pragma once
#include "engine/ids.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <span>

namespace vitrine {

/// One block's share of the checksum. The pool's is the XOR over all blocks, so a change costs two of these.
[[nodiscard]] std::uint64_t blockChecksum(BlockId id, const BlockState& state) noexcept;

/// The whole sum, from scratch; `blocks` starts with the null block.
[[nodiscard]] std::uint64_t poolChecksum(std::span<const BlockState> blocks) noexcept;

} // namespace vitrine
