// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

namespace vitrine {

/// An error where the limit of the address space (`ulimit -v`) leaves less than the window needs: Qt would
/// end the program where memory is missing. To be asked before there is a QApplication.
[[nodiscard]] Result<void> checkAddressSpace();

} // namespace vitrine
