// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine_options.h"

#include <CLI/CLI.hpp>

namespace vitrine {

/// The engine options of design.md, the same in both programs: --block-size, --num-blocks, --threads …
void addEngineFlags(CLI::App& app, EngineOptions& options);

/// Of a command that says where it computes.
struct EngineFlags : EngineOptions {
    bool namesBackend = false; ///< --backend was given
};
void addEngineFlags(CLI::App& app, EngineFlags& flags);

/// `options` for one sequence of so many tokens: they become max_model_len where that was left open. A model
/// that has learned rotary factors for short and for long contexts (LongRoPE) then uses those of this length.
[[nodiscard]] EngineOptions optionsForLength(EngineOptions options, std::size_t tokens);

} // namespace vitrine
