// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace vitrine {

/// Makes what the environment says of folders usable, for all who read it: HOME is that of the user's account
/// where it is not set, and relative XDG folders are ignored, as the XDG Base Directory Specification
/// demands. Call before anything reads them.
void settleFolders();

/// $XDG_STATE_HOME/vitrine
[[nodiscard]] QString stateFolder();
/// $XDG_DATA_HOME/vitrine
[[nodiscard]] QString dataFolder();

} // namespace vitrine
