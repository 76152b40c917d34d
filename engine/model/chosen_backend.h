// SPDX-License-Identifier: GPL-3.0-or-later
// Where a model is computed: the one place that decides, for loading and for what is said of it before.
#pragma once
#include "engine/backend/card.h"
#include "engine/engine_options.h"
#include "engine/error.h"

#include <optional>

namespace vitrine {

/// Why a card does not compute a model.
struct CardRefusal {
    Error error;      ///< for those who asked for it and no other
    BackendNote note; ///< for those who left it open
    bool isCancelled = false;
};

/// There is no card that can be used.
[[nodiscard]] inline CardRefusal noCardRefusal(const BackendNote& note)
{
    return {noCard(note).value(), note};
}

/// There is one, which did not take the model.
[[nodiscard]] inline CardRefusal cannotHold(const Error& error)
{
    return {error, {CardProblem::CannotHold, error.what}, error == loadCancelled()};
}

template<class T>
struct OnChosenBackend {
    Result<T> result;
    std::optional<BackendNote> note; ///< why it is not the card's, where that was left open
};

/// On the card where `choice` asks for it, or leaves it open and the card can. `onCard` gives a
/// tl::expected<T, CardRefusal>, `onProcessor` a Result<T>; each is called if it is needed.
template<class T, class OnCard, class OnProcessor>
[[nodiscard]] OnChosenBackend<T> onChosenBackend(BackendChoice choice, const OnCard& onCard,
                                                 const OnProcessor& onProcessor)
{
    if (choice == BackendChoice::Cpu)
        return {onProcessor(), {}};
    tl::expected<T, CardRefusal> done = onCard();
    if (done)
        return {std::move(done).map_error(&CardRefusal::error), {}};
    const CardRefusal& refusal = done.error();
    if (choice == BackendChoice::Cuda || refusal.isCancelled)
        return {tl::unexpected(refusal.error), {}};
    return {onProcessor(), refusal.note};
}

} // namespace vitrine
