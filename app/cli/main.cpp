// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/subcommands.h"

#include <CLI/CLI.hpp>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <exception>

namespace {

constexpr int kExitOk = 0;
constexpr int kExitError = 1;
constexpr int kExitUsage = 2;

void logToStandardError()
{
    spdlog::set_default_logger(spdlog::stderr_color_mt("vitrine-cli"));
    spdlog::set_pattern("vitrine-cli: %v");
    spdlog::set_level(spdlog::level::err); // what a command has to say it says itself, in one line
}

int runChosen(const vitrine::cli::Action& action)
{
    const vitrine::Result<void> done = action();
    if (done)
        return kExitOk;
    std::fprintf(stderr, "vitrine-cli: %s\n", done.error().line().c_str());
    return kExitError;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace vitrine::cli;
    logToStandardError();
    CLI::App app("Local LLM inference with Vitrine's engine, without a window", "vitrine-cli");
    app.set_version_flag("--version", "vitrine-cli " VITRINE_VERSION);
    app.require_subcommand(1);
    app.failure_message([](const CLI::App* parser, const CLI::Error& error) {
        std::string command = "vitrine-cli";
        for (const CLI::App* chosen : parser->get_subcommands())
            command += " " + chosen->get_name();
        return "vitrine-cli: " + std::string(error.what()) + "\nSee " + command + " --help\n";
    });
    Action chosen;
    for (auto* add : {addRun, addLogits, addGenerate, addTokenize, addDetokenize, addTemplate, addInspect,
                      addPerplexity, addBench, addServeTrace, addSimulate})
        add(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kExitOk : kExitUsage;
    }
    try {
        return runChosen(chosen);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "vitrine-cli: out of memory\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "vitrine-cli: %s\n", error.what());
    }
    return kExitError;
}
