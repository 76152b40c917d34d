// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace vitrine {

/// Log to `folder`/vitrine.log (rotating) and to standard error, Qt's messages included. Where the file
/// cannot be written, standard error alone. No text of any chat is ever logged.
void startLog(const QString& folder);

/// $XDG_STATE_HOME/vitrine
[[nodiscard]] QString stateFolder();
/// $XDG_DATA_HOME/vitrine
[[nodiscard]] QString dataFolder();

} // namespace vitrine
