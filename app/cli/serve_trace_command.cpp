// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_session.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/text_argument.h"
#include "engine/schedule/scheduler.h"
#include "engine/simulate/latency_json.h"
#include "engine/simulate/workload_reader.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace vitrine::cli {
namespace {

using nlohmann::ordered_json;

struct ServeTraceFlags {
    std::string model;
    std::string trace;
    bool json = false;
    EngineFlags engine;
};

/// More than any machine of one person serves; all answers are kept until the last has come.
constexpr std::size_t kMostRequests = 100'000;
/// Those that wait have their prompts in memory.
constexpr std::int64_t kMostPromptTokens = std::int64_t{64} << 20;

Result<void> checkSize(const Workload& workload, const std::string& trace)
{
    std::int64_t tokens = 0;
    for (const WorkloadRequest& request : workload.requests)
        tokens += request.promptTokens;
    if (workload.requests.size() <= kMostRequests && tokens <= kMostPromptTokens)
        return {};
    return fail(std::to_string(workload.requests.size()) + " requests with " + std::to_string(tokens) +
                    " prompt tokens are too many: at most " + std::to_string(kMostRequests) + " with " +
                    std::to_string(kMostPromptTokens) + " are served",
                trace, "cut the file, or simulate it");
}

/// The workload's made-up ids as ids of the model's vocabulary.
std::vector<TokenId> promptOf(const Workload& workload, std::size_t request, std::int32_t vocabulary)
{
    std::vector<TokenId> ids = workload.promptIds(request);
    for (TokenId& id : ids)
        id = static_cast<TokenId>(static_cast<std::uint32_t>(id) % static_cast<std::uint32_t>(vocabulary));
    return ids;
}

RequestSource requestsOf(const Workload& workload, std::int32_t vocabulary)
{
    const auto make = [&workload, vocabulary](std::size_t i) {
        Request request;
        request.prompt = promptOf(workload, i, vocabulary);
        request.maxTokens = workload.requests[i].answerTokens;
        request.sampling.temperature = 0;
        request.ignoreEos = true;
        return request;
    };
    return {.count = workload.requests.size(),
            .arrivalSeconds = [&workload](std::size_t i) { return workload.requests[i].arrivalSeconds; },
            .make = make};
}

/// FNV-1a over the ids of all answers, in the workload's order: equal where all answers are equal.
std::string digestOf(const std::vector<Answer>& answers)
{
    std::uint64_t digest = 0xcbf29ce484222325u;
    const auto add = [&digest](std::uint64_t value) { digest = (digest ^ value) * 0x100000001b3u; };
    for (const Answer& answer : answers) {
        add(answer.ids.size());
        for (const TokenId id : answer.ids)
            add(static_cast<std::uint32_t>(id));
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
    return text;
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

/// What came of all requests together.
struct Summary {
    Latencies latencies;
    std::uint64_t finished = 0;
    std::uint64_t promptTokens = 0;
    std::uint64_t generatedTokens = 0;
    std::optional<Error> firstError;
};

Summary summarize(const std::vector<Answer>& answers)
{
    Summary sum;
    for (const Answer& answer : answers) {
        if (answer.finished.reason == EndReason::Error) {
            if (!sum.firstError)
                sum.firstError = answer.finished.error;
            continue;
        }
        ++sum.finished;
        sum.promptTokens += static_cast<std::uint64_t>(answer.finished.stats.promptTokens);
        sum.generatedTokens += answer.ids.size();
        sum.latencies.add(answer);
    }
    return sum;
}

ordered_json report(const std::vector<Answer>& answers, const Summary& sum, const SchedulerCounters& counters,
                    double wallSeconds)
{
    ordered_json json{{"requests", sum.finished},
                      {"refused", answers.size() - sum.finished},
                      {"wall_s", wallSeconds},
                      {"prompt_tokens", sum.promptTokens},
                      {"generated_tokens", sum.generatedTokens},
                      {"generated_tok_s", static_cast<double>(sum.generatedTokens) / wallSeconds},
                      {"answers_digest", digestOf(answers)},
                      {"steps", counters.steps},
                      {"preemptions", counters.preemptions},
                      {"hit_rate", share(counters.hitTokens, counters.queriedTokens)},
                      {"recompute_tax", share(counters.recomputedTokens, counters.computedTokens)},
                      {"ttft_ms", toJson(sum.latencies.ttft)},
                      {"itl_ms", toJson(sum.latencies.itl)},
                      {"tpot_ms", toJson(sum.latencies.tpot)},
                      {"e2e_ms", toJson(sum.latencies.e2e)}};
    if (sum.firstError)
        json["first_error"] = sum.firstError->line();
    return json;
}

Result<void> serve(const ServeTraceFlags& flags)
{
    const Result<Workload> workload = readWorkload(flags.trace);
    if (!workload)
        return tl::unexpected(workload.error());
    if (const Result<void> good = checkSize(*workload, flags.trace); !good)
        return good;
    EngineSession session(flags.engine);
    const Result<ModelInfo> info = session.load(flags.model);
    if (!info)
        return tl::unexpected(info.error());
    const double start = session.seconds();
    const std::vector<Answer> answers = session.runTimed(requestsOf(*workload, info->vocabSize));
    const double wallSeconds = session.seconds() - start;
    const Summary sum = summarize(answers);
    if (sum.finished == 0 && sum.firstError)
        return fail("none of the " + std::to_string(answers.size()) +
                        " requests could run: " + sum.firstError->line(),
                    flags.trace);
    showBackendNote(session.info().backendNote, flags.engine.namesBackend, "computed on the processor");
    ordered_json json = report(answers, sum, session.engine().counters(), wallSeconds);
    addBackend(json, session.info());
    return printText(json.dump(2) + "\n");
}

} // namespace

void addServeTrace(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<ServeTraceFlags>();
    CLI::App* command = app.add_subcommand("serve-trace", "Run a workload on the real engine and measure it");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    command->add_option("--trace", flags->trace, "arrival_s,prompt_tokens,max_new_tokens, or a public trace")
        ->required()
        ->check(FileName());
    command->add_flag("--json", flags->json, "no effect: the report is always JSON");
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return serve(*flags); }; });
}

} // namespace vitrine::cli
