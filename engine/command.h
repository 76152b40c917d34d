// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine is asked to do. Commands come from any thread and are carried out at the top of step().
#pragma once
#include "engine/engine_options.h"
#include "engine/ids.h"
#include "engine/request.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vitrine {

namespace command {
/// `cancel` may be set at any time by whoever asked; the load then ends with LoadFailed{cancelled}.
struct LoadModel {
    LoadId load;
    std::string path;
    std::shared_ptr<std::atomic<bool>> cancel;
    std::optional<EngineOptions> options{}; ///< to be the engine's from then on, where the load succeeds
};
/// One answer for each of `answers`, which names them in reports; the prompt is computed once for all. With a
/// seed the i-th answer draws with seed + i.
struct Submit {
    std::vector<RequestId> answers;
    Request content;
};
struct Cancel {
    RequestId request;
};
/// Only what differs is changed; the model is never loaded again. Running requests are aborted where the pool
/// has to be built anew: it is for other SchedulerOptions, another size or dtype, and not for another number
/// of threads. Ends in OptionsChanged or OptionsRefused where a model is loaded; else the options wait for
/// one.
struct SetOptions {
    EngineOptions options;
};
struct Pause {};
struct Resume {};
/// One step while paused.
struct SingleStep {};
/// Slow motion: a pause after each step; 0 ends it.
struct SetStepDelay {
    int milliseconds;
};
/// What a block holds, as it is between two steps: ends in BlockDescribed.
struct DescribeBlock {
    BlockId block;
};
} // namespace command

using Command =
    std::variant<command::LoadModel, command::Submit, command::Cancel, command::SetOptions, command::Pause,
                 command::Resume, command::SingleStep, command::SetStepDelay, command::DescribeBlock>;

} // namespace vitrine
