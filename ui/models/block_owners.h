// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace vitrine::ui {

/// Which sequences hold each block. Most blocks have one owner or none: only several take a list of their
/// own, so that a pool of a million blocks is one piece of memory.
class BlockOwners {
public:
    explicit BlockOwners(std::size_t blocks = 0)
        : m_single(blocks)
    {
    }

    /// By id.
    [[nodiscard]] std::span<const SequenceId> of(BlockId block) const;
    /// False for a sequence that cannot be one.
    bool add(BlockId block, SequenceId sequence);
    /// False where it holds nothing of the block.
    bool remove(BlockId block, SequenceId sequence);

private:
    static constexpr SequenceId kNone{};
    static constexpr SequenceId kSeveral{std::numeric_limits<std::uint32_t>::max()};

    std::vector<SequenceId> m_single;                                 ///< (num_blocks)
    std::unordered_map<BlockId, std::vector<SequenceId>> m_several{}; ///< sorted
};

} // namespace vitrine::ui
