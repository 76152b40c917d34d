// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/slot_usage.h"

#include <algorithm>

namespace vitrine {

std::int32_t finalSlots(const Sequence& sequence, const TableShape& shape)
{
    const std::size_t rows = sequence.blockTable.blocks.size() / std::size_t(shape.groups());
    const std::int64_t granted = std::int64_t(rows) * shape.blockSize();
    return shape.groups() * std::int32_t(std::min<std::int64_t>(granted, sequence.maxTotalTokens - 1));
}

SlotUsage slotUsage(const Scheduler& scheduler)
{
    const BlockPool& pool = scheduler.pool();
    const TableShape& shape = scheduler.tableShape();
    SlotUsage usage;
    usage.used = pool.totals().usedSlots();
    usage.free = std::int64_t(pool.freeBlocks()) * pool.blockSize();
    if (scheduler.options().allocator != Allocator::Paged) {
        for (const Sequence* sequence : scheduler.running())
            usage.reserved += std::max(0, finalSlots(*sequence, shape) -
                                              shape.groups() * sequence->blockTable.writtenTokens);
    }
    const std::int64_t all = std::int64_t(pool.usableBlocks()) * pool.blockSize();
    usage.internal = all - usage.free - usage.used - usage.reserved;
    return usage;
}

} // namespace vitrine
