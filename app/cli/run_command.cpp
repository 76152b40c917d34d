// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_session.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/number_range.h"
#include "app/text_argument.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace vitrine::cli {
namespace {

struct RunFlags {
    std::string model;
    std::string prompt;
    std::optional<std::string> promptFile;
    std::string system;
    std::size_t answers = 1;
    bool raw = false;
    bool json = false;
    Request request;
    EngineFlags engine;
};

Prompt promptOf(const RunFlags& flags)
{
    if (flags.raw)
        return flags.prompt;
    std::vector<ChatMessage> messages;
    if (!flags.system.empty())
        messages.push_back({"system", flags.system});
    messages.push_back({"user", flags.prompt});
    return messages;
}

nlohmann::json toJson(const Answer& answer)
{
    const RequestStats& stats = answer.finished.stats;
    nlohmann::json json{{"text", answer.text},
                        {"ids", answer.ids},
                        {"finish_reason", finishReason(answer.finished.reason)},
                        {"prompt_tokens", stats.promptTokens},
                        {"cached_tokens", stats.cachedTokens},
                        {"generated_tokens", stats.generatedTokens},
                        {"ttft_s", stats.ttftSeconds},
                        {"tok_s", stats.decodeTokensPerSecond}};
    if (!answer.reasoning.empty())
        json["reasoning"] = answer.reasoning;
    return json;
}

nlohmann::json toJson(const std::vector<Answer>& answers)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Answer& answer : answers)
        list.push_back(toJson(answer));
    return {{"answers", std::move(list)}};
}

Error reasonOf(const report::Finished& finished)
{
    Error error = finished.error.value_or(Error{"the request failed", {}, {}});
    if (finished.refusedByTemplate && error.advice.empty())
        error.advice = "--chatml asks in the most common format instead";
    return error;
}

/// Beside an answer, not beside an error, which is one line. Of the chat template only where it was used.
void showWarnings(const ModelInfo& info, bool raw)
{
    for (const std::string& warning : info.warnings)
        showWarning(info.path + ": " + warning);
    if (info.templateWarning && !raw)
        showWarning(info.path + ": " + *info.templateWarning);
}

/// Standard output has the answer alone, for whom it is passed on to; at a terminal one sees what goes on.
class AnswerStream {
public:
    void show(const report::TextDelta& delta)
    {
        if (!delta.reasoning.empty()) {
            showAside(m_isReasoning ? "" : "[Reasoning]\n");
            showAside(delta.reasoning);
            m_isReasoning = true;
        }
        if (delta.text.empty())
            return;
        if (std::exchange(m_isReasoning, false))
            showAside("\n[Answer]\n");
        (void)printText(delta.text);
    }

private:
    bool m_isReasoning = false;
};

/// Where the answer is empty, why.
void explain(const Answer& answer)
{
    if (answer.text.empty() && !answer.reasoning.empty())
        showWarning("the model was still reasoning when the answer ended; --json prints what it thought");
}

Result<void> endStream(const Answer& answer)
{
    const Result<void> done = printText("\n");
    explain(answer);
    if (answer.finished.error)
        showError(*answer.finished.error);
    return done;
}

Result<void> printAll(const std::vector<Answer>& answers)
{
    std::string text;
    for (std::size_t i = 0; i < answers.size(); ++i)
        text += "--- " + std::to_string(i + 1) + "\n" + answers[i].text + "\n";
    std::ranges::for_each(answers, explain);
    return printText(text);
}

/// One answer that is not JSON has been shown as it came.
Result<void> show(const std::vector<Answer>& answers, bool asJson, const ModelInfo& info)
{
    if (asJson) {
        nlohmann::json json = answers.size() == 1 ? toJson(answers.front()) : toJson(answers);
        addBackend(json, info);
        return printJson(json);
    }
    return answers.size() == 1 ? endStream(answers.front()) : printAll(answers);
}

Result<void> run(RunFlags& flags)
{
    if (flags.promptFile) {
        Result<std::string> text = readText(*flags.promptFile);
        if (!text)
            return tl::unexpected(text.error());
        flags.prompt = std::move(*text);
    }
    EngineSession session(flags.engine);
    const Result<ModelInfo> info = session.load(flags.model);
    if (!info)
        return tl::unexpected(info.error());
    flags.request.prompt = promptOf(flags);
    EngineSession::OnText stream;
    if (!flags.json && flags.answers == 1)
        stream = [shown = AnswerStream()](std::size_t, const report::TextDelta& delta) mutable {
            shown.show(delta);
        };
    const std::vector<Answer> answers = session.runAnswers(flags.request, flags.answers, stream);
    for (const Answer& answer : answers)
        if (answer.finished.reason == EndReason::Error)
            return tl::unexpected(reasonOf(answer.finished));
    const Result<void> shown = show(answers, flags.json, session.info());
    showWarnings(*info, flags.raw);
    showBackendNote(session.info().backendNote, flags.engine.namesBackend, "computed on the processor");
    return shown;
}

} // namespace

void addRun(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<RunFlags>();
    SamplingOptions& sampling = flags->request.sampling;
    CLI::App* command = app.add_subcommand("run", "Answer one prompt");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    CLI::Option_group* input = command->add_option_group("input");
    input->add_option("-p,--prompt", flags->prompt, "what to ask")->check(TextArgument());
    input
        ->add_option("-f,--file", flags->promptFile,
                     "a file with what to ask; /dev/stdin reads standard input")
        ->check(FileName());
    input->require_option(1);
    command->add_option("--system", flags->system, "system message")->check(TextArgument());
    command->add_option("--answers", flags->answers, "so many answers to the prompt, which is computed once")
        ->transform(WholeRange(1, 1024));
    auto* raw = command->add_flag("--raw", flags->raw, "no chat template: continue the text");
    command
        ->add_flag_callback(
            "--chatml", [flags] { flags->request.format = ChatFormat::ChatMl; },
            "the ChatML format, where the model's own template refuses the conversation")
        ->excludes(raw);
    command
        ->add_option("-n,--max-tokens", flags->request.maxTokens,
                     "tokens to generate at most; 0: as many as fit")
        ->transform(WholeRange(0, 1 << 28));
    command->add_option("--temperature", sampling.temperature, "0: always the likeliest token")
        ->transform(NumberRange(0.0, 100.0));
    command->add_option("--top-k", sampling.topK, "0: all")->transform(WholeRange(0, 1 << 28));
    command->add_option("--top-p", sampling.topP, "1: all")->transform(NumberRange(0.0, 1.0));
    command->add_option("--min-p", sampling.minP, "0: all")->transform(NumberRange(0.0, 1.0));
    command->add_option("--repetition-penalty", sampling.repetitionPenalty, "1: none")
        ->transform(NumberRange(0.01, 100.0));
    command->add_option("--seed", sampling.seed, "0: a fresh one")
        ->transform(WholeRange(0, std::numeric_limits<std::uint64_t>::max()));
    command
        ->add_option("--stop", flags->request.stop,
                     "a string that ends the answer; may be given more than once")
        ->check(TextArgument());
    command->add_flag("--json", flags->json, "print JSON");
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

} // namespace vitrine::cli
