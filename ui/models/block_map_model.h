// SPDX-License-Identifier: GPL-3.0-or-later
// What each cell of the block map shows, and which cells look different after a drain.
#pragma once
#include "engine/ids.h"
#include "ui/models/sequence_directory.h"

#include <QString>

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::ui {

class GlassModel;
class PoolMirror;

enum class BlockKind : std::uint8_t { Null, Clean, Cached, Active };

/// All that is drawn of a block: two equal cells look the same.
struct BlockCell {
    BlockKind kind = BlockKind::Clean;
    std::uint8_t paleness = 0; ///< of a cached block: 0 stays longest … kPalenessLevels − 1 is evicted next
    bool hashed = false;
    bool shared = false;
    bool granted = false; ///< part of a run (contiguous modes)
    bool chosen = false;  ///< of the chat that the rail is on
    bool marked = false;  ///< holds tokens that somebody points at
    std::int16_t colorSlot = -1;
    std::int32_t filled = 0;   ///< slots
    std::int32_t reserved = 0; ///< of a run: slots that are not written yet and will be
    friend bool operator==(const BlockCell&, const BlockCell&) = default;
};

/// Several blocks in one cell: how many of them are what.
struct BlockMix {
    std::int32_t blocks = 0; ///< the null block left out
    std::int32_t active = 0;
    std::int32_t cached = 0;
    std::int32_t shared = 0;
    std::int16_t colorSlot = -1; ///< that most of the active ones have, or of the cached ones where none is
    bool chosen = false;         ///< one of them is
    bool marked = false;
    friend bool operator==(const BlockMix&, const BlockMix&) = default;

    [[nodiscard]] std::int32_t clean() const { return blocks - active - cached; }
};

inline constexpr int kPalenessLevels = 3;

/// For the tooltip, the keyboard and assistive technology.
struct BlockDetails {
    QString headline;           ///< "Block 17: active, shared by 2"
    std::vector<QString> lines; ///< owners, slots, tokens, hash, last step
    [[nodiscard]] QString text() const;
};

class BlockMapModel {
public:
    explicit BlockMapModel(const GlassModel& glass);

    /// Starts again from the pool as it is.
    void reset();
    /// Takes in the last drain. Returns the blocks whose cells look different, in no order.
    [[nodiscard]] std::vector<BlockId> update();
    /// Looks at every cell anew: chats got other titles or colours, others are chosen, or the map was hidden.
    /// Returns as update() does.
    [[nodiscard]] std::vector<BlockId> recolor();
    /// reset(), recolor(), and update() after a jump look at kSlice blocks: in a larger pool the others are
    /// left for lookOn(), so that nothing takes long. Until then their cells show what they did.
    [[nodiscard]] bool isBehind() const { return m_left > 0; }
    /// The next kSlice blocks. Returns as update() does.
    [[nodiscard]] std::vector<BlockId> lookOn();
    static constexpr std::uint32_t kSlice = 65'536; ///< some 4 ms

    [[nodiscard]] int blockCount() const { return static_cast<int>(m_cells.size()); }
    [[nodiscard]] const BlockCell& cell(BlockId block) const { return m_cells[block.value]; }
    /// O(blocks).
    [[nodiscard]] BlockMix mix(std::span<const BlockId> blocks) const;
    [[nodiscard]] int blockSize() const;
    [[nodiscard]] BlockDetails details(BlockId block) const;
    /// Of blocks that stand together in one cell. `ranged`: they are neighbours by address.
    [[nodiscard]] BlockDetails details(std::span<const BlockId> blocks, bool ranged) const;

private:
    [[nodiscard]] BlockCell cellOf(BlockId block) const;
    [[nodiscard]] SequenceId colorOwner(BlockId block) const;
    [[nodiscard]] bool isChosen(BlockId block) const;
    void showRun(BlockId block, BlockCell& cell) const;
    void takeMarks();
    [[nodiscard]] QString mixOwners(std::span<const BlockId> blocks) const;
    void rankCached();
    void refresh(BlockId block, std::vector<BlockId>& changed);
    [[nodiscard]] std::vector<QString> ownerLines(BlockId block) const;

    const GlassModel& m_glass;
    std::vector<BlockCell> m_cells;       ///< (num_blocks)
    std::vector<std::uint8_t> m_paleness; ///< (num_blocks)
    std::vector<bool> m_isMarked;         ///< (num_blocks)
    std::vector<BlockId> m_marked;
    std::uint32_t m_next = 0; ///< that lookOn() looks at
    std::uint32_t m_left = 0; ///< from there on, round the end
};

} // namespace vitrine::ui
