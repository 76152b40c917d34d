// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/slot_usage.h"

#include <algorithm>

namespace vitrine {

namespace {

/// Slots of a run that its sequence will still write. The last token of an answer is never stored.
std::int64_t reservedSlots(const Sequence& sequence, std::int32_t blockSize)
{
    const std::int64_t granted = std::int64_t(sequence.blockTable.blocks.size()) * blockSize;
    const std::int64_t writtenAtLast = std::min<std::int64_t>(granted, sequence.maxTotalTokens - 1);
    return std::max<std::int64_t>(0, writtenAtLast - sequence.blockTable.writtenTokens);
}

} // namespace

SlotUsage slotUsage(const Scheduler& scheduler)
{
    const BlockPool& pool = scheduler.pool();
    SlotUsage usage;
    usage.used = pool.totals().usedSlots();
    usage.free = std::int64_t(pool.freeBlocks()) * pool.blockSize();
    if (scheduler.options().allocator != Allocator::Paged) {
        for (const Sequence* sequence : scheduler.running())
            usage.reserved += reservedSlots(*sequence, pool.blockSize());
    }
    const std::int64_t all = std::int64_t(pool.usableBlocks()) * pool.blockSize();
    usage.internal = all - usage.free - usage.used - usage.reserved;
    return usage;
}

} // namespace vitrine
