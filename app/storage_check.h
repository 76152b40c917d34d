// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <QString>

namespace vitrine {

/// Whether the folder, or the nearest one above it that is there, takes files; if not, the system's reason
/// and what to do: found out by writing a small file and removing it, as those who failed to write (SQLite, a
/// lock) often cannot tell why.
[[nodiscard]] Result<void> checkStorage(const QString& folder);

} // namespace vitrine
