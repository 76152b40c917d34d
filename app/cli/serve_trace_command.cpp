// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_session.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "engine/schedule/scheduler.h"
#include "engine/simulate/latency_json.h"
#include "engine/simulate/workload_reader.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace vitrine::cli {
namespace {

using nlohmann::ordered_json;

struct ServeTraceFlags {
    std::string model;
    std::string trace;
    bool json = false;
    EngineOptions engine;
};

std::vector<TokenId> promptOf(const Workload& workload, std::size_t request, std::int32_t vocabulary)
{
    std::vector<TokenId> ids = workload.promptIds(request);
    for (TokenId& id : ids)
        id = static_cast<TokenId>(static_cast<std::uint32_t>(id) % static_cast<std::uint32_t>(vocabulary));
    return ids;
}

std::vector<TimedRequest> requestsOf(const Workload& workload, std::int32_t vocabulary)
{
    std::vector<TimedRequest> requests;
    for (std::size_t i = 0; i < workload.requests.size(); ++i) {
        TimedRequest timed;
        timed.arrivalSeconds = workload.requests[i].arrivalSeconds;
        timed.request.prompt = promptOf(workload, i, vocabulary);
        timed.request.maxTokens = workload.requests[i].answerTokens;
        timed.request.sampling.temperature = 0;
        timed.request.ignoreEos = true;
        requests.push_back(std::move(timed));
    }
    return requests;
}

struct Latencies {
    LatencyHistogram ttft; ///< submission to first token
    LatencyHistogram itl;  ///< each gap between tokens
    LatencyHistogram tpot; ///< decode time / (tokens - 1)
    LatencyHistogram e2e;  ///< submission to end

    void add(const Answer& answer)
    {
        const RequestStats& stats = answer.finished.stats;
        ttft.add(stats.ttftSeconds);
        e2e.add(stats.e2eSeconds);
        const std::vector<double>& times = answer.tokenSeconds;
        for (std::size_t i = 1; i < times.size(); ++i)
            itl.add(times[i] - times[i - 1]);
        if (times.size() > 1)
            tpot.add((times.back() - times.front()) / static_cast<double>(times.size() - 1));
    }
};

double share(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

ordered_json report(const std::vector<Answer>& answers, const SchedulerCounters& counters, double wallSeconds)
{
    Latencies latencies;
    std::uint64_t finished = 0;
    std::uint64_t promptTokens = 0;
    std::uint64_t generatedTokens = 0;
    std::string firstError;
    for (const Answer& answer : answers) {
        if (answer.finished.reason == FinishReason::Error) {
            if (firstError.empty() && answer.finished.error)
                firstError = answer.finished.error->line();
            continue;
        }
        ++finished;
        promptTokens += static_cast<std::uint64_t>(answer.finished.stats.promptTokens);
        generatedTokens += answer.ids.size();
        latencies.add(answer);
    }
    ordered_json json{{"requests", finished},
                      {"refused", answers.size() - finished},
                      {"wall_s", wallSeconds},
                      {"prompt_tokens", promptTokens},
                      {"generated_tokens", generatedTokens},
                      {"generated_tok_s", static_cast<double>(generatedTokens) / wallSeconds},
                      {"steps", counters.steps},
                      {"preemptions", counters.preemptions},
                      {"hit_rate", share(counters.hitTokens, counters.queriedTokens)},
                      {"recompute_tax", share(counters.recomputedTokens, counters.computedTokens)},
                      {"ttft_ms", toJson(latencies.ttft)},
                      {"itl_ms", toJson(latencies.itl)},
                      {"tpot_ms", toJson(latencies.tpot)},
                      {"e2e_ms", toJson(latencies.e2e)}};
    if (!firstError.empty())
        json["first_error"] = firstError;
    return json;
}

Result<void> serve(const ServeTraceFlags& flags)
{
    const Result<Workload> workload = readWorkload(flags.trace);
    if (!workload)
        return tl::unexpected(workload.error());
    EngineSession session(flags.engine);
    const Result<ModelInfo> info = session.load(flags.model);
    if (!info)
        return tl::unexpected(info.error());
    const double start = session.seconds();
    const std::vector<Answer> answers = session.runTimed(requestsOf(*workload, info->vocabSize));
    const double wallSeconds = session.seconds() - start;
    return printText(report(answers, session.engine().counters(), wallSeconds).dump(2) + "\n");
}

} // namespace

void addServeTrace(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<ServeTraceFlags>();
    CLI::App* command = app.add_subcommand("serve-trace", "Run a workload on the real engine and measure it");
    command->add_option("-m,--model", flags->model, "GGUF file")->required();
    command->add_option("--trace", flags->trace, "arrival_s,prompt_tokens,max_new_tokens, or a public trace")
        ->required();
    command->add_flag("--json", flags->json, "no effect: the report is always JSON");
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return serve(*flags); }; });
}

} // namespace vitrine::cli
