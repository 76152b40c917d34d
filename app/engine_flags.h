// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine_options.h"

namespace CLI {
class App;
}

namespace vitrine {

/// The engine options of design.md, the same in both programs: --block-size, --num-blocks, --threads …
void addEngineFlags(CLI::App& app, EngineOptions& options);

} // namespace vitrine
