// SPDX-License-Identifier: GPL-3.0-or-later
// What the slots of the pool are good for at this moment: views.md, "Metrics".
#pragma once
#include "engine/schedule/scheduler.h"

#include <cstdint>

namespace vitrine {

/// used + reserved + internal + free = all usable slots.
struct SlotUsage {
    std::int64_t used = 0; ///< written, in active blocks, each block counted once
    std::int64_t reserved =
        0; ///< contiguous: granted, not yet written, will be if the answer gets as long as it may
    std::int64_t internal = 0; ///< granted, never to be written
    std::int64_t free = 0;
    friend bool operator==(const SlotUsage&, const SlotUsage&) = default;
};

/// Slots of its run that a sequence will have written if its answer gets as long as it may. A token takes a
/// slot in each layer group; the last one of an answer is never stored.
[[nodiscard]] std::int32_t finalSlots(const Sequence& sequence, const TableShape& shape);

/// O(running sequences).
[[nodiscard]] SlotUsage slotUsage(const Scheduler& scheduler);

} // namespace vitrine
