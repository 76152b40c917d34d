// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_session.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/number_range.h"
#include "app/text_argument.h"
#include "engine/backend/cpu/machine_limits.h"
#include "engine/model/model_work.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>

namespace vitrine::cli {
namespace {

/// Every decoding sequence has a prompt of this length, so that attention costs the same in every batch.
constexpr std::int32_t kDecodePrompt = 128;
/// So much more than the model is read to find the limit, as small models would stay in the caches.
constexpr std::size_t kLeastRead = std::size_t{128} << 20;

struct BenchFlags {
    std::string model;
    std::int32_t prompt = 512;
    std::int32_t generate = 128;
    std::vector<std::int32_t> batches{1, 8, 32};
    std::int32_t repeat = 3;
    bool roofline = false;
    bool json = false;
    EngineFlags engine;
};

/// Token ids that look random and are the same in every run; `salt` makes prompts that share no prefix.
std::vector<TokenId> makePrompt(std::int32_t length, std::uint64_t salt, std::int32_t vocabulary)
{
    std::vector<TokenId> ids;
    std::uint64_t state = salt * 0x9e3779b97f4a7c15u + 1;
    for (std::int32_t i = 0; i < length; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        ids.push_back(static_cast<TokenId>((state >> 33) % static_cast<std::uint64_t>(vocabulary)));
    }
    return ids;
}

Request makeRequest(std::int32_t promptLength, std::uint64_t salt, std::int32_t vocabulary,
                    std::int32_t maxTokens)
{
    Request request;
    request.prompt = makePrompt(promptLength, salt, vocabulary);
    request.sampling.temperature = 0;
    request.maxTokens = maxTokens;
    request.ignoreEos = true;
    return request;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.size() % 2 ? values[values.size() / 2]
                             : (values[values.size() / 2 - 1] + values[values.size() / 2]) / 2;
}

Result<void> checkAnswers(const std::vector<Answer>& answers)
{
    for (const Answer& answer : answers)
        if (answer.finished.reason == EndReason::Error || answer.tokenSeconds.empty())
            return tl::unexpected(
                answer.finished.error.value_or(Error{"a request brought no token", {}, {}}));
    return {};
}

class Bench {
public:
    Bench(EngineSession& session, const BenchFlags& flags, std::int32_t vocabulary)
        : m_session(session)
        , m_flags(flags)
        , m_vocabulary(vocabulary)
    {
    }

    /// Prompt tokens a second, from submission to the first token.
    Result<double> prefill()
    {
        const std::vector<Answer> answers =
            m_session.run({makeRequest(m_flags.prompt, ++m_salt, m_vocabulary, 1)});
        if (Result<void> good = checkAnswers(answers); !good)
            return tl::unexpected(good.error());
        return m_flags.prompt / answers.front().finished.stats.ttftSeconds;
    }

    /// Tokens a second of all sequences together, from the moment when the last of them has its first token.
    Result<double> decode(std::int32_t batch)
    {
        std::vector<Request> requests;
        for (std::int32_t i = 0; i < batch; ++i)
            requests.push_back(makeRequest(kDecodePrompt, ++m_salt, m_vocabulary, m_flags.generate + 1));
        const std::vector<Answer> answers = m_session.run(std::move(requests));
        if (Result<void> good = checkAnswers(answers); !good)
            return tl::unexpected(good.error());
        double start = 0;
        double end = answers.front().tokenSeconds.back();
        for (const Answer& answer : answers) {
            start = std::max(start, answer.tokenSeconds.front());
            end = std::min(end, answer.tokenSeconds.back()); // while all are decoding
        }
        if (end <= start)
            return fail(std::to_string(batch) + " chats do not run together in this pool and token budget",
                        "--batch",
                        "raise --kv-cache-mib and --max-num-batched-tokens, or use smaller batches");
        std::int64_t tokens = 0;
        for (const Answer& answer : answers)
            tokens +=
                std::ranges::count_if(answer.tokenSeconds, [&](double t) { return t > start && t <= end; });
        return static_cast<double>(tokens) / (end - start);
    }

private:
    EngineSession& m_session;
    const BenchFlags& m_flags;
    std::int32_t m_vocabulary;
    std::uint64_t m_salt = 0;
};

std::int64_t residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::int64_t total = 0;
    std::int64_t resident = 0;
    file >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/// The median of `repeat` runs.
template<typename F>
Result<double> repeated(const std::string& what, std::int32_t repeat, F&& measure)
{
    std::vector<double> values;
    for (std::int32_t i = 0; i < repeat; ++i) {
        showStatus(what + ", run " + std::to_string(i + 1) + " of " + std::to_string(repeat));
        const Result<double> value = measure();
        showStatus({});
        if (!value)
            return value;
        values.push_back(*value);
    }
    return median(values);
}

/// Shares of what the machine can do: a step for one chat reads all weights, a prompt multiplies with them.
/// The limits of a graphics card are not known here.
Result<nlohmann::json> rooflineOf(const BenchFlags& flags, const nlohmann::json& result)
{
    const Result<ModelWork> work = workOf(flags.model);
    if (!work)
        return tl::unexpected(work.error());
    if (!result["backend"].get<std::string>().starts_with("CPU"))
        return nlohmann::json{{"bytes_per_step", work->bytesPerStep}, {"dots_per_token", work->dotsPerToken}};
    showStatus("limits of the machine");
    const MachineLimits limits = measureLimits(result["threads"].get<int>(),
                                               static_cast<std::size_t>(work->bytesPerStep) + kLeastRead);
    showStatus({});
    nlohmann::json roofline{{"bytes_per_step", work->bytesPerStep},
                            {"dots_per_token", work->dotsPerToken},
                            {"read_gb_s", limits.readBytesPerSecond / 1e9},
                            {"dot_tera_s", limits.dotsPerSecond / 1e12}};
    roofline["prefill_share"] =
        result["prefill_tok_s"].get<double>() * work->dotsPerToken / limits.dotsPerSecond;
    for (const nlohmann::json& row : result["decode"])
        if (row["batch"] == 1)
            roofline["decode_share"] =
                row["tok_s"].get<double>() * work->bytesPerStep / limits.readBytesPerSecond;
    return roofline;
}

std::string describe(const nlohmann::json& result)
{
    std::string text = fmt::format("load {:.2f} s\nprefill {:.0f} tok/s\n", result["load_s"].get<double>(),
                                   result["prefill_tok_s"].get<double>());
    for (const nlohmann::json& row : result["decode"])
        text += fmt::format("decode, batch {}: {:.0f} tok/s\n", row["batch"].get<int>(),
                            row["tok_s"].get<double>());
    const auto roofline = result.find("roofline");
    if (roofline == result.end() || !roofline->contains("read_gb_s"))
        return text;
    text += fmt::format(
        "int8 dot products: {:.3f} Tera multiply-adds a second, of which the prompt uses {:.0f} %\n",
        (*roofline)["dot_tera_s"].get<double>(), 100 * (*roofline)["prefill_share"].get<double>());
    text += fmt::format("reading memory: {:.1f} GB/s", (*roofline)["read_gb_s"].get<double>());
    if (roofline->contains("decode_share"))
        text +=
            fmt::format(", of which one chat uses {:.0f} %", 100 * (*roofline)["decode_share"].get<double>());
    return text + "\n";
}

Result<nlohmann::json> measure(BenchFlags& flags)
{
    flags.engine.scheduler.enablePrefixCaching = false; // repeated prompts are to be computed again
    flags.engine.scheduler.maxStepStretch = 0;          // all chats are to start together
    const std::int32_t largest = *std::ranges::max_element(flags.batches);
    flags.engine.scheduler.maxNumSeqs = std::max(flags.engine.scheduler.maxNumSeqs, largest);
    EngineSession session(flags.engine);
    const Result<ModelInfo> info = session.load(flags.model);
    if (!info)
        return tl::unexpected(info.error());
    Bench run(session, flags, info->vocabSize);
    if (const Result<double> warm = run.prefill(); !warm) // first touch of activations and cache
        return tl::unexpected(warm.error());
    nlohmann::json result{{"load_s", info->loadSeconds}, {"threads", info->threads}};
    const Result<double> prefill = repeated("prefill", flags.repeat, [&] { return run.prefill(); });
    if (!prefill)
        return tl::unexpected(prefill.error());
    result["prefill_tok_s"] = *prefill;
    result["decode"] = nlohmann::json::array();
    for (std::int32_t batch : flags.batches) {
        const Result<double> decode = repeated("decode, batch " + std::to_string(batch), flags.repeat,
                                               [&] { return run.decode(batch); });
        if (!decode)
            return tl::unexpected(decode.error());
        result["decode"].push_back({{"batch", batch}, {"tok_s", *decode}});
    }
    result["rss_bytes"] = residentBytes();
    addBackend(result, session.info()); // that of the end: half of a measurement on each would be of neither
    if (session.info().backend != info->backend)
        return fail(textOf(*session.info().backendNote), "bench", "measure again with --backend cpu");
    showBackendNote(session.info().backendNote, flags.engine.namesBackend, "computed on the processor");
    return result;
}

Result<void> bench(BenchFlags& flags)
{
    Result<nlohmann::json> result = measure(flags);
    if (!result)
        return tl::unexpected(result.error());
    if (flags.roofline) {
        Result<nlohmann::json> roofline = rooflineOf(flags, *result);
        if (!roofline)
            return tl::unexpected(roofline.error());
        (*result)["roofline"] = std::move(*roofline);
    }
    return flags.json ? printJson(*result) : printText(describe(*result));
}

} // namespace

void addBench(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<BenchFlags>();
    CLI::App* command = app.add_subcommand("bench", "Tokens a second of prompts and of batches of chats");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    command->add_option("--prompt", flags->prompt, "tokens of the prompt")->transform(WholeRange(1, 1 << 24));
    command->add_option("--gen", flags->generate, "tokens to generate for each chat")
        ->transform(WholeRange(2, 1 << 24));
    command->add_option("--batch", flags->batches, "numbers of chats, with commas between them")
        ->delimiter(',')
        ->transform(WholeRange(1, 65536));
    command->add_option("--repeat", flags->repeat, "runs of each kind; the median counts")
        ->transform(WholeRange(1, 1000));
    command->add_flag("--roofline", flags->roofline,
                      "measure the machine's limits too, and the shares that were reached");
    command->add_flag("--json", flags->json, "print JSON");
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return bench(*flags); }; });
}

} // namespace vitrine::cli
