// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/memory_plan.h"

namespace vitrine {

CardRoom roomOnCard(const EngineOptions& options, const OpenCardFn& openTheCard)
{
    if (options.backend == BackendChoice::Cpu)
        return tl::unexpected(BackendNote{});
    const auto card = openTheCard();
    return card ? CardRoom((*card)->room()) : tl::unexpected(card.error());
}

MemoryPlan planMemory(const ModelSpec& spec, const ModelSurvey& file, const EngineOptions& options,
                      const CardRoom& card)
{
    const auto onProcessor = [&] { return estimateMemory(spec, file, options, memoryRoom()); };
    if (options.backend == BackendChoice::Cpu)
        return {onProcessor(), {}};
    const bool mustBeCard = options.backend == BackendChoice::Cuda;
    if (!card)
        return mustBeCard ? MemoryPlan{noCard(card.error()), {}} : MemoryPlan{onProcessor(), card.error()};
    Result<MemoryEstimate> onCard = estimateMemory(spec, file, options, *card);
    if (onCard || mustBeCard)
        return {std::move(onCard), {}};
    return {onProcessor(), BackendNote{CardProblem::CannotHold, onCard.error().what}};
}

} // namespace vitrine
