// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

namespace vitrine {

/// An error where a limit of the process (`ulimit -v`, `ulimit -n`) leaves less than the window needs: Qt
/// would end the program, or wait for ever. To be asked before there is a QApplication.
[[nodiscard]] Result<void> checkProcessLimits();

} // namespace vitrine
