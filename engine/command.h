// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine is asked to do. Commands come from any thread and are carried out at the top of step().
#pragma once
#include "engine/engine_options.h"
#include "engine/ids.h"
#include "engine/request.h"

#include <atomic>
#include <memory>
#include <string>
#include <variant>

namespace vitrine {

namespace command {
/// `cancel` may be set at any time by whoever asked; the load then ends with LoadFailed{cancelled}.
struct LoadModel { std::string path; std::shared_ptr<std::atomic<bool>> cancel; };
struct Submit { RequestId request; Request content; };
struct Cancel { RequestId request; };
/// Running requests are aborted where the pool has to be built anew.
struct SetOptions { EngineOptions options; };
struct Pause {};
struct Resume {};
/// One step while paused.
struct SingleStep {};
/// Slow motion: a pause after each step; 0 ends it.
struct SetStepDelay { int milliseconds; };
} // namespace command

using Command = std::variant<command::LoadModel, command::Submit, command::Cancel, command::SetOptions, command::Pause,
                             command::Resume, command::SingleStep, command::SetStepDelay>;

} // namespace vitrine
