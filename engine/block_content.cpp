// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/block_content.h"

#include <algorithm>

namespace vitrine {
namespace {

/// False where the sequence does not hold the block.
bool takeFrom(const Sequence& sequence, const TableShape& shape, std::int32_t filled, BlockText& content)
{
    const std::vector<BlockId>& table = sequence.blockTable.blocks;
    const auto entry = std::ranges::find(table, content.block);
    if (entry == table.end())
        return false;
    content.sequence = sequence.id;
    content.firstToken = shape.rowOf(std::int32_t(entry - table.begin())) * shape.blockSize();
    const std::int32_t end = std::min(content.firstToken + filled, sequence.numTokens());
    if (end > content.firstToken)
        content.tokens.assign(sequence.tokens.begin() + content.firstToken, sequence.tokens.begin() + end);
    return true;
}

} // namespace

void describeBlock(const Scheduler& scheduler, BlockText& content)
{
    const BlockPool& pool = scheduler.pool();
    if (content.block == kNullBlock || content.block.value >= std::uint32_t(pool.numBlocks()))
        return;
    const BlockState& state = pool.state(content.block);
    if (state.refCount > 0) {
        (void)std::ranges::any_of(scheduler.running(), [&](const Sequence* sequence) {
            return takeFrom(*sequence, scheduler.tableShape(), state.filled, content);
        });
    } else if (state.hashed) {
        const auto tokens = pool.prefixes().tokensOf(content.block);
        content.tokens.assign(tokens.begin(), tokens.end());
    }
}

} // namespace vitrine
