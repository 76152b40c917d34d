// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/batch.h"

namespace vitrine {

void Batch::clear()
{
    *this = Batch{};
}

} // namespace vitrine
