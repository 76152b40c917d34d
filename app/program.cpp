// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/program.h"

#include "engine/memory_room.h"
#include "engine/utf8.h"

#include <cstdio>
#include <exception>

namespace vitrine {
namespace {

/// The program and the sub-commands that were named, as they were typed.
std::string commandOf(const CLI::App& app)
{
    std::string command = app.get_name();
    for (const CLI::App* chosen : app.get_subcommands())
        command += " " + chosen->get_name();
    return command;
}

std::string describeUsageError(const CLI::App* app, const CLI::Error& error)
{
    return app->get_name() + ": " + printable(error.what(), kWholeText) + "\nSee " + commandOf(*app) +
           " --help\n";
}

} // namespace

void addUsage(CLI::App& app)
{
    app.set_version_flag("--version", app.get_name() + " " + VITRINE_VERSION);
    app.failure_message(describeUsageError);
}

int endParsing(const CLI::App& app, const CLI::ParseError& end)
{
    return app.exit(end) == 0 ? kExitOk : kExitUsage;
}

int runGuarded(const char* program, const std::function<int()>& run)
{
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", program, printable(reasonOf(error), kWholeText).c_str());
    }
    return kExitError;
}

} // namespace vitrine
