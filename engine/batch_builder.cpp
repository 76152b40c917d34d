// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/batch_builder.h"

namespace vitrine {
namespace {

std::int64_t slotOf(const Sequence& sequence, std::int32_t position, std::int32_t blockSize)
{
    const BlockId block = sequence.blockTable.blocks[static_cast<std::size_t>(position / blockSize)];
    return std::int64_t{block.value} * blockSize + position % blockSize;
}

void appendMember(const PlannedMember& member, std::int32_t blockSize, Batch& batch)
{
    const Sequence& sequence = *member.sequence;
    const std::int32_t end = member.firstToken + member.tokenCount;
    for (std::int32_t position = member.firstToken; position < end; ++position) {
        batch.tokens.push_back(sequence.tokens[static_cast<std::size_t>(position)]);
        batch.positions.push_back(position);
        batch.slotMapping.push_back(slotOf(sequence, position, blockSize));
    }
    const auto& blocks = sequence.blockTable.blocks;
    batch.blockTables.insert(batch.blockTables.end(), blocks.begin(), blocks.end());
    batch.blockTableOffsets.push_back(static_cast<std::int32_t>(batch.blockTables.size()));
    batch.sequenceOffsets.push_back(batch.tokenCount());
    if (member.samplesNext)
        batch.logitRows.push_back(batch.tokenCount() - 1);
}

} // namespace

void buildBatch(const StepPlan& plan, std::int32_t blockSize, Batch& batch)
{
    batch.clear();
    batch.sequenceOffsets.push_back(0);
    batch.blockTableOffsets.push_back(0);
    for (const PlannedMember& member : plan.members)
        appendMember(member, blockSize, batch);
}

} // namespace vitrine
