// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/choice.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/number_range.h"
#include "app/text_argument.h"
#include "engine/simulate/simulator.h"
#include "engine/simulate/workload_reader.h"

#include <CLI/CLI.hpp>

#include <map>
#include <memory>

namespace vitrine::cli {
namespace {

/// Enough for a model whose KV cache takes most of a server's memory; a trace's requests have thousands of
/// tokens.
constexpr std::int32_t kDefaultBlocks = 4096;

struct SimulateFlags {
    std::string trace;
    SimulationOptions simulation;
    bool json = false;
    EngineOptions engine;
};

Result<void> run(SimulateFlags& flags)
{
    flags.simulation.scheduler = flags.engine.scheduler;
    if (flags.simulation.scheduler.numBlocks == 0)
        flags.simulation.scheduler.numBlocks = kDefaultBlocks;
    Result<Workload> workload = readWorkload(flags.trace);
    if (!workload)
        return tl::unexpected(workload.error());
    const Result<SimulationReport> report = simulate(std::move(*workload), flags.simulation);
    if (!report)
        return tl::unexpected(report.error());
    if (report->requests == 0 && report->refused > 0)
        return fail("none of the " + std::to_string(report->refused) +
                        " requests could run: " + report->firstRefusal,
                    flags.trace);
    return printText(toJson(*report) + "\n");
}

} // namespace

void addSimulate(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<SimulateFlags>();
    flags->engine.scheduler = {}; // the policy alone: no default that is made for a person who reads along
    SimulationOptions& simulation = flags->simulation;
    CLI::App* command =
        app.add_subcommand("simulate", "The scheduler and the block pool on a workload, without a model");
    command->add_option("--trace", flags->trace, "own CSV, Azure CSV or Mooncake JSON lines")
        ->required()
        ->check(FileName());
    command
        ->add_option("--max-total", simulation.maxTotal,
                     "only requests with prompt + answer of at most so many tokens")
        ->transform(WholeRange(0, std::uint64_t{1} << 40));
    command->add_option("--limit", simulation.limit, "the first so many of these; 0: all")
        ->transform(WholeRange(0, std::uint64_t{1} << 40));
    command
        ->add_option("--arrivals", simulation.arrivals,
                     "saturated: all wait from the start; trace: each at its time")
        ->transform(Choice<Arrivals>({{"saturated", Arrivals::Saturated}, {"trace", Arrivals::Trace}}));
    command->add_option("--step-cost-us", simulation.stepCostMicros, "what a step costs on the virtual clock")
        ->transform(NumberRange(0.0, 1e9));
    command->add_option("--token-cost-us", simulation.tokenCostMicros, "what each token in it costs")
        ->transform(NumberRange(0.0, 1e9));
    command->add_flag("--json", flags->json, "no effect: the report is always JSON");
    addEngineFlags(*command, flags->engine);
    for (const char* name : {"--backend", "--threads", "--kv-cache-mib", "--kv-cache-dtype"})
        command->get_option(name)->each([name](const std::string&) {
            showWarning(std::string(name) + " has no effect here: nothing is computed");
        });
    command->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

} // namespace vitrine::cli
