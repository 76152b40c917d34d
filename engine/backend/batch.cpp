// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/batch.h"

namespace vitrine {

void Batch::clear()
{
    tokens.clear();
    positions.clear();
    slotMapping.clear();
    sequenceOffsets.clear();
    blockTables.clear();
    blockTableOffsets.clear();
    logitRows.clear();
}

} // namespace vitrine
