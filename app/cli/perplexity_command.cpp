// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/sequence_runner.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/number_range.h"
#include "app/text_argument.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace vitrine::cli {
namespace {

struct PerplexityFlags {
    std::string model;
    std::string file;
    std::int32_t chunk = 512;
    bool json = false;
    EngineFlags engine;
};

struct Score {
    double negativeLogLikelihood = 0;
    std::int64_t tokens = 0;
};

/// −log softmax(logits)[target]
double surprise(std::span<const float> logits, TokenId target)
{
    const double largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (float logit : logits)
        sum += std::exp(logit - largest);
    return std::log(sum) + largest - logits[static_cast<std::size_t>(target)];
}

/// Scores the second half of each whole chunk, so that every scored token has at least half a chunk before
/// it.
Result<Score> scoreChunks(LoadedModel& loaded, std::vector<TokenId> tokens, std::int32_t chunk)
{
    const Vocabulary& vocabulary = loaded.tokenizer->vocabulary();
    SequenceRunner runner(loaded);
    Score score;
    for (std::size_t begin = 0; begin + static_cast<std::size_t>(chunk) <= tokens.size();
         begin += static_cast<std::size_t>(chunk)) {
        const std::span<TokenId> part = std::span(tokens).subspan(begin, static_cast<std::size_t>(chunk));
        if (vocabulary.addsBos())
            part.front() = *vocabulary.bos();
        const Result<void> done =
            runner.run(part, chunk / 2, [&](std::int32_t position, std::span<const float> logits) {
                if (position + 1 == chunk)
                    return;
                score.negativeLogLikelihood += surprise(logits, part[static_cast<std::size_t>(position) + 1]);
                ++score.tokens;
            });
        if (!done)
            return tl::unexpected(done.error());
    }
    return score;
}

Result<void> measure(const PerplexityFlags& flags)
{
    const Result<std::string> text = readText(flags.file);
    if (!text)
        return tl::unexpected(text.error());
    Result<LoadedModel> loaded = loadModel(
        flags.model, optionsForLength(flags.engine, static_cast<std::size_t>(flags.chunk)), showLoadProgress);
    if (!loaded)
        return tl::unexpected(loaded.error());
    std::vector<TokenId> tokens = loaded->tokenizer->tokenize(*text, {.addBos = true});
    if (tokens.size() < static_cast<std::size_t>(flags.chunk))
        return fail(std::to_string(tokens.size()) + " tokens are less than one chunk of " +
                        std::to_string(flags.chunk),
                    flags.file, "use a longer text or a smaller -c");
    const Result<Score> score = scoreChunks(*loaded, std::move(tokens), flags.chunk);
    if (!score)
        return tl::unexpected(score.error());
    const double perplexity = std::exp(score->negativeLogLikelihood / static_cast<double>(score->tokens));
    showBackendNote(loaded->info.backendNote, flags.engine.namesBackend, "computed on the processor");
    if (flags.json) {
        nlohmann::json json{{"perplexity", perplexity}, {"tokens", score->tokens}};
        addBackend(json, loaded->info);
        return printJson(json);
    }
    return printText("perplexity " + std::to_string(perplexity) + " over " + std::to_string(score->tokens) +
                     " tokens\n");
}

} // namespace

void addPerplexity(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<PerplexityFlags>();
    CLI::App* command = app.add_subcommand("perplexity", "How well the model predicts a text");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    command->add_option("-f,--file", flags->file, "text file")->required()->check(FileName());
    command->add_option("-c,--chunk", flags->chunk, "tokens in a chunk")->transform(WholeRange(4, 1 << 20));
    command->add_flag("--json", flags->json, "print JSON");
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return measure(*flags); }; });
}

} // namespace vitrine::cli
