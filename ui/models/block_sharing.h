// SPDX-License-Identifier: GPL-3.0-or-later
// Which sequences hold the blocks that several hold.
#pragma once
#include "engine/ids.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vitrine::ui {

class GlassModel;
class PoolMirror;

struct BlockSharing {
    std::vector<SequenceId> sharers; ///< by id: each holds a shared block
    std::vector<SequenceId> others;  ///< by id: each holds blocks, none of them shared
    std::int32_t blocks = 0;         ///< shared ones, one at least
    bool isOneGroup = true;          ///< each of them is held by the same sequences
};

/// Sharers have their prefix in common: each table is read from its beginning to its first block of its own.
/// Empty where none is shared, where that finds not all shared blocks, or would look at more than
/// `kMostLooked` entries.
[[nodiscard]] std::optional<BlockSharing> blockSharing(const PoolMirror& pool);
inline constexpr std::int64_t kMostLooked = 65'536;

/// "6 blocks, marked in the corner, are shared by 7 of 8 requests, not by “Dinner”: 36 saved." Empty where
/// none is.
[[nodiscard]] QString sharingSentence(const GlassModel& glass);
/// "holds 24 blocks, 6 of them shared with “A”, “B” and 5 more": with other chats. Empty where the chat holds
/// none.
[[nodiscard]] QString holdingsOf(const GlassModel& glass, qint64 chat);

/// Those that hold one of the blocks, by id.
[[nodiscard]] std::vector<SequenceId> holdersOf(const PoolMirror& pool, std::span<const BlockId> blocks);
/// Those that hold a block that is marked (GlassSelection::blocks), by id.
[[nodiscard]] std::vector<SequenceId> markedHolders(const GlassModel& glass);

} // namespace vitrine::ui
