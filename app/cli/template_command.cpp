// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "app/text_argument.h"
#include "engine/gguf/gguf_file.h"
#include "engine/text/prompt_encoder.h"
#include "engine/text/tokenizer.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace vitrine::cli {
namespace {

struct TemplateFlags {
    std::string model;
    std::optional<std::string> templateFile;
    std::string messages;
    bool noGenerationPrompt = false;
    std::optional<std::string> bos;
    std::optional<std::string> eos;
};

Result<std::vector<ChatMessage>> readMessages(const std::string& path)
{
    const Result<std::string> text = readText(path);
    if (!text)
        return tl::unexpected(text.error());
    const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_discarded())
        return fail("is not JSON", path);
    const nlohmann::json& list = json.is_object() && json.contains("messages") ? json["messages"] : json;
    if (!list.is_array())
        return fail("expected a list of messages", path, "[{\"role\": \"user\", \"content\": \"…\"}]");
    std::vector<ChatMessage> messages;
    for (const nlohmann::json& entry : list) {
        const std::string where = path + ", message " + std::to_string(messages.size() + 1);
        if (!entry.is_object() || !entry.contains("role") || !entry["role"].is_string())
            return fail("has no role", where);
        if (!entry.contains("content") || !entry["content"].is_string())
            return fail("has no content", where);
        const auto reasoning = entry.find("reasoning_content");
        const bool hasReasoning = reasoning != entry.end() && reasoning->is_string();
        messages.push_back({entry["role"].get<std::string>(), entry["content"].get<std::string>(),
                            hasReasoning ? reasoning->get<std::string>() : std::string()});
    }
    return messages;
}

struct Source {
    std::unique_ptr<ChatTemplate> chatTemplate;
    ChatTemplateOptions options{};
};

Result<Source> sourceOfModel(const std::string& model)
{
    const Result<GgufFile> file = GgufFile::open(model);
    if (!file)
        return tl::unexpected(file.error());
    const Result<Vocabulary> vocabulary = Vocabulary::fromGguf(*file);
    if (!vocabulary)
        return tl::unexpected(vocabulary.error());
    ChosenChatTemplate chosen = chooseChatTemplate(file->find<std::string_view>("tokenizer.chat_template"));
    if (chosen.warning)
        showWarning(model + ": " + *chosen.warning);
    return Source{std::move(chosen.chatTemplate), templateOptions(*vocabulary)};
}

Result<Source> sourceOfFile(const std::string& path)
{
    const Result<std::string> source = readText(path);
    if (!source)
        return tl::unexpected(source.error());
    return parseChatTemplate(*source).map(
        [](std::unique_ptr<ChatTemplate> parsed) { return Source{std::move(parsed)}; });
}

Result<void> render(const TemplateFlags& flags)
{
    const Result<std::vector<ChatMessage>> messages = readMessages(flags.messages);
    if (!messages)
        return tl::unexpected(messages.error());
    Result<Source> source =
        flags.templateFile ? sourceOfFile(*flags.templateFile) : sourceOfModel(flags.model);
    if (!source)
        return tl::unexpected(source.error());
    ChatTemplateOptions& options = source->options;
    options.addGenerationPrompt = !flags.noGenerationPrompt;
    options.bosToken = flags.bos.value_or(options.bosToken);
    options.eosToken = flags.eos.value_or(options.eosToken);
    const Result<RenderedChat> chat = source->chatTemplate->render(*messages, options);
    if (!chat)
        return tl::unexpected(chat.error());
    return printText(chat->text);
}

} // namespace

void addTemplate(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<TemplateFlags>();
    CLI::App* command = app.add_subcommand("template", "The text that a conversation becomes");
    CLI::Option_group* source = command->add_option_group("template");
    source->add_option("-m,--model", flags->model, "GGUF file with a template")->check(FileName());
    source->add_option("--template", flags->templateFile, "a template of its own")->check(FileName());
    source->require_option(1);
    command->add_option("--messages", flags->messages, "JSON file: [{\"role\": …, \"content\": …}, …]")
        ->required()
        ->check(FileName());
    command->add_flag("--no-generation-prompt", flags->noGenerationPrompt,
                      "do not open the assistant's turn");
    command->add_option("--bos", flags->bos, "text of bos_token; of a model, what its vocabulary says")
        ->check(TextArgument());
    command->add_option("--eos", flags->eos, "text of eos_token; likewise")->check(TextArgument());
    command->callback([flags, &chosen] { chosen = [flags] { return render(*flags); }; });
}

} // namespace vitrine::cli
