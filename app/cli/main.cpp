// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/program.h"

#include <CLI/CLI.hpp>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace vitrine::cli {
namespace {

void logToStandardError()
{
    spdlog::set_default_logger(spdlog::stderr_color_mt("vitrine-cli"));
    spdlog::set_pattern("vitrine-cli: %v");
    spdlog::set_level(spdlog::level::err); // what a command has to say it says itself, in one line
}

int runChosen(const Action& action)
{
    const Result<void> done = action();
    if (done)
        return kExitOk;
    showError(done.error());
    return kExitError;
}

int runProgram(int argc, char** argv)
{
    logToStandardError();
    CLI::App app("Local LLM inference with Vitrine's engine, without a window", "vitrine-cli");
    addUsage(app);
    app.require_subcommand(1);
    Action chosen;
    for (auto* add : {addRun, addLogits, addGenerate, addTokenize, addDetokenize, addTemplate, addInspect,
                      addPerplexity, addBench, addServeTrace, addSimulate})
        add(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return endParsing(app, error);
    }
    return runChosen(chosen);
}

} // namespace
} // namespace vitrine::cli

int main(int argc, char** argv)
{
    return vitrine::runGuarded("vitrine-cli", [=] { return vitrine::cli::runProgram(argc, argv); });
}
