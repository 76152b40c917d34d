// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of vitrine-cli. Each adds its flags to the parser and, where it is the one that the user
// chose, leaves what is to be done in `chosen`; main() runs that and turns an Error into one line and exit
// code 1.
#pragma once
#include "engine/error.h"

#include <functional>

namespace CLI {
class App;
}

namespace vitrine::cli {

using Action = std::function<Result<void>()>;

void addRun(CLI::App& app, Action& chosen);
void addLogits(CLI::App& app, Action& chosen);
void addGenerate(CLI::App& app, Action& chosen);
void addTokenize(CLI::App& app, Action& chosen);
void addDetokenize(CLI::App& app, Action& chosen);
void addTemplate(CLI::App& app, Action& chosen);
void addInspect(CLI::App& app, Action& chosen);
void addPerplexity(CLI::App& app, Action& chosen);
void addBench(CLI::App& app, Action& chosen);
void addServeTrace(CLI::App& app, Action& chosen);
void addSimulate(CLI::App& app, Action& chosen);

} // namespace vitrine::cli
