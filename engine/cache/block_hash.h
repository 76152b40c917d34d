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

} // namespace vitrine
