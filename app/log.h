// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <QString>

namespace vitrine {

/// Log to `folder`/vitrine.log (rotating) and, from warnings on, to standard error, Qt's messages included.
/// Where the file cannot be written, standard error alone. No text of any chat is ever logged.
/// `quiet`: standard error is left to printError().
void startLog(const QString& folder, bool quiet);

/// The one line that a program ends with.
void printError(const Error& error);

} // namespace vitrine
