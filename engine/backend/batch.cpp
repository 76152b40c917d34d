// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/batch.h"

namespace vitrine {

void Batch::clear()
{
    tokens.clear();
    positions.clear();
    slotMapping.clear();
    sequenceOffsets.assign(1, 0);
    blockTables.clear();
    blockTableOffsets.assign(1, 0);
    logitRows.clear();
}

} // namespace vitrine
