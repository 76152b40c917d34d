// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_hash.h"

#include "engine/trace/pool_checksum.h"

#include <xxhash.h>

namespace vitrine {

std::uint64_t hashBlock(std::uint64_t parent, std::span<const TokenId> tokens, std::uint64_t extraKey)
{
    // The golden ratio keeps (parent, key) and (key, parent) apart.
    const std::uint64_t seed = parent ^ (extraKey * 0x9E3779B97F4A7C15u);
    return XXH3_64bits_withSeed(tokens.data(), tokens.size_bytes(), seed);
}

std::uint64_t hashInGroup(std::uint64_t hash, std::int32_t groupsBehind)
{
    return hash ^ mixBits(std::uint64_t(groupsBehind)); // of 0: 0
}

} // namespace vitrine
