// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/slot_usage.h"

#include <algorithm>

namespace vitrine {

std::int32_t finalSlots(const Sequence& sequence, std::int32_t blockSize)
{
    const std::int64_t granted = std::int64_t(sequence.blockTable.blocks.size()) * blockSize;
    return std::int32_t(std::min<std::int64_t>(granted, sequence.maxTotalTokens - 1));
}

SlotUsage slotUsage(const Scheduler& scheduler)
{
    const BlockPool& pool = scheduler.pool();
    SlotUsage usage;
    usage.used = pool.totals().usedSlots();
    usage.free = std::int64_t(pool.freeBlocks()) * pool.blockSize();
    if (scheduler.options().allocator != Allocator::Paged) {
        for (const Sequence* sequence : scheduler.running())
            usage.reserved +=
                std::max(0, finalSlots(*sequence, pool.blockSize()) - sequence->blockTable.writtenTokens);
    }
    const std::int64_t all = std::int64_t(pool.usableBlocks()) * pool.blockSize();
    usage.internal = all - usage.free - usage.used - usage.reserved;
    return usage;
}

} // namespace vitrine
