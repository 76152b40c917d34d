// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/text_argument.h"
#include "engine/gguf/gguf_file.h"
#include "engine/text/tokenizer.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace vitrine::cli {
namespace {

struct TokenizeFlags {
    std::string model;
    std::string text;
    std::optional<std::string> file;
    std::string ids;
    bool noSpecial = false;
    bool json = false;
};

Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path)
{
    const Result<GgufFile> file = GgufFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::fromGguf(*file);
    if (tokenizer)
        for (const std::string& warning : (*tokenizer)->warnings())
            showWarning(path + ": " + warning);
    return tokenizer;
}

Result<void> tokenize(const TokenizeFlags& flags)
{
    const Result<std::string> text = flags.file ? readText(*flags.file) : Result<std::string>(flags.text);
    if (!text)
        return tl::unexpected(text.error());
    const Result<std::unique_ptr<Tokenizer>> tokenizer = openTokenizer(flags.model);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    const std::vector<TokenId> ids =
        (*tokenizer)->tokenize(*text, TokenizeOptions{.parseSpecial = !flags.noSpecial});
    if (flags.json)
        return printJson({{"ids", ids}});
    std::string line;
    for (TokenId id : ids)
        line += (line.empty() ? "" : ",") + std::to_string(id);
    return printText(line + "\n");
}

Result<void> detokenize(const TokenizeFlags& flags)
{
    const Result<std::vector<TokenId>> ids = parseIds(flags.ids);
    if (!ids)
        return tl::unexpected(ids.error());
    const Result<std::unique_ptr<Tokenizer>> tokenizer = openTokenizer(flags.model);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    for (TokenId id : *ids)
        if (!(*tokenizer)->vocabulary().contains(id))
            return fail("token id " + std::to_string(id) + " is outside the vocabulary of " +
                            std::to_string((*tokenizer)->vocabulary().size()),
                        "--ids");
    const std::string text = (*tokenizer)->detokenize(*ids, true);
    return flags.json ? printJson({{"text", text}}) : printText(text + "\n");
}

} // namespace

void addTokenize(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<TokenizeFlags>();
    CLI::App* command = app.add_subcommand("tokenize", "Text to token ids; no BOS is added");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    CLI::Option_group* input = command->add_option_group("input");
    input->add_option("--text", flags->text, "the text")->check(TextArgument());
    input->add_option("--file", flags->file, "a file with the text")->check(FileName());
    input->require_option(1);
    command->add_flag("--no-special", flags->noSpecial, "control tokens in the text are plain text");
    command->add_flag("--json", flags->json, "print JSON");
    command->callback([flags, &chosen] { chosen = [flags] { return tokenize(*flags); }; });
}

void addDetokenize(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<TokenizeFlags>();
    CLI::App* command = app.add_subcommand("detokenize", "Token ids to text, control tokens included");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    command->add_option("--ids", flags->ids, "token ids, with commas between them")->required();
    command->add_flag("--json", flags->json, "print JSON");
    command->callback([flags, &chosen] { chosen = [flags] { return detokenize(*flags); }; });
}

} // namespace vitrine::cli
