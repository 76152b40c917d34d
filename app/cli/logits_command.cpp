// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/sequence_runner.h"
#include "app/cli/subcommands.h"
#include "app/engine_flags.h"
#include "app/text_argument.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

namespace vitrine::cli {
namespace {

struct LogitsFlags {
    std::string model;
    std::string ids;
    std::string output;
    EngineFlags engine;
};

Result<void> writeLogits(const LogitsFlags& flags)
{
    const Result<std::vector<TokenId>> ids = parseIds(flags.ids);
    if (!ids)
        return tl::unexpected(ids.error());
    const EngineOptions engine = optionsForLength(flags.engine, ids->size());
    Result<LoadedModel> loaded = loadModel(flags.model, engine, showLoadProgress);
    if (!loaded)
        return tl::unexpected(loaded.error());
    const auto cannotWrite = [&] {
        return fail(std::string("cannot be written: ") + std::strerror(errno), flags.output);
    };
    std::ofstream file(flags.output, std::ios::binary | std::ios::trunc);
    if (!file)
        return cannotWrite();
    const auto append = [&](std::int32_t, std::span<const float> logits) {
        file.write(reinterpret_cast<const char*>(logits.data()),
                   static_cast<std::streamsize>(logits.size_bytes()));
    };
    if (Result<void> done = SequenceRunner(*loaded).run(*ids, 0, append); !done)
        return done;
    file.close();
    showBackendNote(loaded->info.backendNote, flags.engine.namesBackend, "computed on the processor");
    return file ? Result<void>() : cannotWrite();
}

} // namespace

void addLogits(CLI::App& app, Action& chosen)
{
    auto flags = std::make_shared<LogitsFlags>();
    CLI::App* command =
        app.add_subcommand("logits", "Write the logits at every position of the given token ids");
    command->add_option("-m,--model", flags->model, "GGUF file")->required()->check(FileName());
    command->add_option("--ids", flags->ids, "token ids, with commas between them")->required();
    command->add_option("-o,--output", flags->output, "file for float32 (positions, vocab)")
        ->required()
        ->check(FileName());
    addEngineFlags(*command, flags->engine);
    command->callback([flags, &chosen] { chosen = [flags] { return writeLogits(*flags); }; });
}

} // namespace vitrine::cli
