// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/memory_plan.h"

#include "engine/model/chosen_backend.h"

namespace vitrine {

CardRoom roomOnCard(const OpenCardFn& openTheCard)
{
    const auto card = openTheCard();
    return card ? CardRoom((*card)->room()) : tl::unexpected(card.error());
}

MemoryPlan planMemory(const ModelSpec& spec, const ModelSurvey& file, const EngineOptions& options,
                      const std::function<CardRoom()>& card)
{
    bool hasCard = true;
    const auto onCard = [&] {
        CardRoom found = card();
        hasCard = found.has_value();
        return std::move(found).map_error(noCardRefusal).and_then([&](const MemoryRoom& room) {
            return estimateMemory(spec, file, options, room).map_error(cannotHold);
        });
    };
    const auto onProcessor = [&] { return estimateMemory(spec, file, options, memoryRoom()); };
    auto [estimate, note] = onChosenBackend<MemoryEstimate>(options.backend, onCard, onProcessor);
    return {std::move(estimate), std::move(note), !hasCard && options.backend == BackendChoice::Cuda};
}

} // namespace vitrine
