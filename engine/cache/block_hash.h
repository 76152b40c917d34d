// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstdint>
#include <span>

namespace vitrine {

/// H(parent's hash, the block's tokens, extra key). Tests put worse functions in its place.
using BlockHash = std::uint64_t (*)(std::uint64_t parent, std::span<const TokenId> tokens,
                                    std::uint64_t extraKey);

/// XXH3, seeded with the parent and the key.
[[nodiscard]] std::uint64_t hashBlock(std::uint64_t parent, std::span<const TokenId> tokens,
                                      std::uint64_t extraKey);

/// The same tokens in the block of another layer group: `groupsBehind` 0, the last group, has the hash
/// itself.
[[nodiscard]] std::uint64_t hashInGroup(std::uint64_t hash, std::int32_t groupsBehind);

} // namespace vitrine
