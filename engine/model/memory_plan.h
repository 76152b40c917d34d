// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/card.h"
#include "engine/model/model_survey.h"

#include <functional>
#include <optional>

namespace vitrine {

/// What there is on the graphics card, or why none can be used.
using CardRoom = tl::expected<MemoryRoom, BackendNote>;

/// Opens the card and leaves it again.
[[nodiscard]] CardRoom roomOnCard(const OpenCardFn& openTheCard = openCard);

/// The memory that a model will take where it would be computed.
struct MemoryPlan {
    Result<MemoryEstimate> estimate; ///< of the card where its room is the card's
    std::optional<BackendNote> note; ///< why the card was not taken, where options leave it open
    bool lacksCard = false;          ///< the card that the options ask for, and nothing else
};

/// As loading decides: the card where `options` ask for it, or leave it open and it can take the model.
/// `card` is asked unless they do not want one.
[[nodiscard]] MemoryPlan planMemory(const ModelSpec& spec, const ModelSurvey& file,
                                    const EngineOptions& options, const std::function<CardRoom()>& card);

} // namespace vitrine
