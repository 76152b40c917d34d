// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/folders.h"

#include <QDir>

#include <pwd.h>
#include <unistd.h>

namespace vitrine {
namespace {

QString folderFrom(const char* variable, const char* fallback)
{
    const QString base = qEnvironmentVariable(variable);
    return (base.isEmpty() ? QDir::homePath() + QLatin1String(fallback) : base) + QStringLiteral("/vitrine");
}

} // namespace

void settleFolders()
{
    if (qEnvironmentVariableIsEmpty("HOME")) {
        if (const passwd* account = getpwuid(getuid()); account != nullptr && account->pw_dir != nullptr)
            qputenv("HOME", account->pw_dir);
    }
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}) {
        if (!QDir::isAbsolutePath(qEnvironmentVariable(variable)))
            qunsetenv(variable);
    }
}

QString stateFolder()
{
    return folderFrom("XDG_STATE_HOME", "/.local/state");
}

QString dataFolder()
{
    return folderFrom("XDG_DATA_HOME", "/.local/share");
}

} // namespace vitrine
