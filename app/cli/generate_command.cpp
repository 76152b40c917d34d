// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_session.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/number_range.h"
#include "app/text_argument.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace vitrine::cli {
namespace {

struct GenerateFlags {
    std::string model;
    std::string ids;
    std::int32_t count = 0;
    bool json = false;
    EngineFlags engine;
};

/// Exactly as many tokens as asked for: end tokens are tokens like any other here.
Request greedyRequest(std::vector<TokenId> ids, std::int32_t count)
{
    Request request;
    request.prompt = std::move(ids);
    request.sampling.temperature = 0;
    request.maxTokens = count;
    request.ignoreEos = true;
    return request;
}

Result<void> generate(const GenerateFlags& flags)
{
    Result<std::vector<TokenId>> ids = parseIds(flags.ids);
    if (!ids)
        return tl::unexpected(ids.error());
    EngineSession session(
        optionsForLength(flags.engine, ids->size() + static_cast<std::size_t>(flags.count)));
    if (const Result<ModelInfo> info = session.load(flags.model); !info)
        return tl::unexpected(info.error());
    const std::vector<Answer> answers = session.run({greedyRequest(std::move(*ids), flags.count)});
    const Answer& answer = answers.front();
    if (answer.finished.reason == EndReason::Error)
        return tl::unexpected(answer.finished.error.value_or(Error{"the request failed", {}, {}}));
    showBackendNote(session.info().backendNote, flags.engine.namesBackend, "computed on the processor");
    if (flags.json) {
        nlohmann::json json{{"ids", answer.ids}};
        addBackend(json, session.info());
        return printJson(json);
    }
    std::string line;
    for (TokenId id : answer.ids)
        line += (line.empty() ? "" : ",") + std::to_string(id);
    return printText(line + "\n");
}

} // namespace

void addGenerate(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<GenerateFlags>();
    CLI::App* command = app.add_subcommand("generate", "Continue token ids, always with the likeliest token");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    command->add_option("--ids", flags->ids, "token ids, with commas between them")->required();
    command->add_option("-n,--max-tokens", flags->count, "tokens to generate")
        ->required()
        ->transform(WholeRange(1, 1 << 28));
    command->add_flag("--json", flags->json, "print JSON");
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return generate(*flags); }; });
}

} // namespace vitrine::cli
