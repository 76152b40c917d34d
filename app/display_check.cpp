// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/display_check.h"

#include <QFileInfo>
#include <QLibrary>
#include <QLibraryInfo>
#include <QStringList>

#include <algorithm>

namespace vitrine {
namespace {

// The libraries that the display plugins themselves use, taken at run time: nothing new to link or to
// install. If one is missing, its plugin cannot work either.

/// The connection stays open as long as the program runs: an X server without other clients may reset itself
/// when its last client goes, and Qt's own connection, a moment later, would fall into that.
bool xcbOpens()
{
    QLibrary xcb(QStringLiteral("xcb"), 1);
    const auto connect = reinterpret_cast<void* (*)(const char*, int*)>(xcb.resolve("xcb_connect"));
    const auto hasError = reinterpret_cast<int (*)(void*)>(xcb.resolve("xcb_connection_has_error"));
    return connect != nullptr && hasError != nullptr && hasError(connect(nullptr, nullptr)) == 0;
}

bool waylandOpens()
{
    QLibrary wayland(QStringLiteral("wayland-client"), 0);
    const auto connect = reinterpret_cast<void* (*)(const char*)>(wayland.resolve("wl_display_connect"));
    const auto disconnect = reinterpret_cast<void (*)(void*)>(wayland.resolve("wl_display_disconnect"));
    void* display = connect == nullptr || disconnect == nullptr ? nullptr : connect(nullptr);
    if (display != nullptr)
        disconnect(display);
    return display != nullptr;
}

/// Where Qt looks for platforms.
QStringList platformFolders()
{
    QStringList folders{qEnvironmentVariable("QT_QPA_PLATFORM_PLUGIN_PATH")};
    for (const QString& plugins :
         qEnvironmentVariable("QT_PLUGIN_PATH").split(QChar(':'), Qt::SkipEmptyParts) +
             QStringList{QLibraryInfo::path(QLibraryInfo::PluginsPath)})
        folders << plugins + QStringLiteral("/platforms");
    return folders;
}

bool hasPlugin(const QString& name)
{
    return std::ranges::any_of(platformFolders(), [&name](const QString& folder) {
        return QFileInfo::exists(QStringLiteral("%1/libq%2.so").arg(folder, name));
    });
}

/// Names, without what may follow them after a colon, from QT_QPA_PLATFORM; Qt takes the first that works.
QStringList platformsAskedFor()
{
    QStringList names;
    for (const QString& platform :
         qEnvironmentVariable("QT_QPA_PLATFORM").split(QChar(';'), Qt::SkipEmptyParts))
        names << platform.section(QChar(':'), 0, 0).toLower();
    return names;
}

/// "offscreen", "vnc" …: platforms that bring their own.
bool needsNoDisplay(const QString& platform)
{
    return !platform.startsWith(QLatin1String("xcb")) && !platform.startsWith(QLatin1String("wayland"));
}

} // namespace

Result<void> checkDisplay()
{
    const QStringList platforms = platformsAskedFor();
    if (std::ranges::any_of(platforms,
                            [](const QString& name) { return needsNoDisplay(name) && hasPlugin(name); }))
        return {};
    if (!platforms.isEmpty() && std::ranges::all_of(platforms, needsNoDisplay))
        return fail("Qt has no such platform", "QT_QPA_PLATFORM=" + qgetenv("QT_QPA_PLATFORM").toStdString(),
                    "unset it, or name one that is there, such as xcb or offscreen");
    const QByteArray display = qgetenv("DISPLAY");
    const bool hasWayland =
        qEnvironmentVariableIsSet("WAYLAND_DISPLAY") && hasPlugin(QStringLiteral("wayland-generic"));
    if ((hasWayland && waylandOpens()) || (!display.isEmpty() && xcbOpens()))
        return {};
    const char* advice = "run it in a desktop session, or use vitrine-cli, which needs none";
    if (display.isEmpty())
        return fail("no display: neither DISPLAY nor WAYLAND_DISPLAY leads to one", {}, advice);
    return fail("the display cannot be opened", "DISPLAY=" + display.toStdString(), advice);
}

} // namespace vitrine
