// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

namespace vitrine {

/// An error where no window could be opened, found out before QApplication would abort on it.
/// A QT_QPA_PLATFORM that needs no display is trusted.
[[nodiscard]] Result<void> checkDisplay();

} // namespace vitrine
