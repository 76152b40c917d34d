// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/batch_builder.h"

namespace vitrine {

void buildBatch(const StepPlan& plan, const TableShape& shape, Batch& batch)
{
    batch.clear();
    for (const PlannedMember& member : plan.members) {
        const Sequence& sequence = *member.sequence;
        appendToBatch(sequence.tokens, sequence.blockTable.blocks, member.firstToken,
                      member.firstToken + member.tokenCount, shape, batch);
        if (member.samplesNext)
            batch.logitRows.push_back(batch.tokenCount() - 1);
    }
}

void appendToBatch(std::span<const TokenId> tokens, std::span<const BlockId> blockTable, std::int32_t begin,
                   std::int32_t end, const TableShape& shape, Batch& batch)
{
    const std::int32_t blockSize = shape.blockSize();
    for (std::int32_t position = begin; position < end; ++position) {
        batch.tokens.push_back(tokens[static_cast<std::size_t>(position)]);
        batch.positions.push_back(position);
        for (std::int32_t group = 0; group < shape.groups(); ++group) {
            const std::int32_t entry = shape.position(position / blockSize, group);
            const BlockId block = blockTable[static_cast<std::size_t>(entry)];
            batch.slotMapping.push_back(std::int64_t{block.value} * blockSize + position % blockSize);
        }
    }
    batch.blockTables.insert(batch.blockTables.end(), blockTable.begin(), blockTable.end());
    batch.blockTableOffsets.push_back(static_cast<std::int32_t>(batch.blockTables.size()));
    batch.sequenceOffsets.push_back(batch.tokenCount());
}

std::vector<BlockId> onlyTable(const TableShape& shape, std::int32_t tokens, std::int32_t most)
{
    std::vector<BlockId> table(std::size_t(shape.position(shape.rowsFor(tokens), 0)));
    std::int64_t first = 1; // block 0 is the null block
    for (std::int32_t group = 0; group < shape.groups(); ++group) {
        const std::int64_t blocks = shape.rowsAtMost(group, most);
        for (std::int32_t row = 0; row < shape.rowsFor(tokens); ++row)
            table[std::size_t(shape.position(row, group))] = BlockId{std::uint32_t(first + row % blocks)};
        first += blocks;
    }
    return table;
}

} // namespace vitrine
