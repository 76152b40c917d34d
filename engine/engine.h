// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/card.h"
#include "engine/command_queue.h"
#include "engine/engine_options.h"
#include "engine/trace/outbox.h"

#include <memory>
#include <stop_token>

namespace vitrine {

struct SchedulerCounters;

/// Continuous batching over a paged KV cache: model, scheduler and everything a request needs on its way from
/// text to text. Owned and stepped by one thread; commands() and outbox() may be used by any.
class Engine {
public:
    /// `openTheCard`: where a graphics card comes from.
    explicit Engine(EngineOptions options, OpenCardFn openTheCard = openCard);
    ~Engine();

    [[nodiscard]] CommandQueue& commands();
    [[nodiscard]] Outbox& outbox();

    /// Carries out the commands that have come in, then computes one step for the sequences that are chosen.
    /// False: there was nothing to compute. What commands changed is in the outbox either way.
    bool step();

    /// Steps until asked to stop; sleeps while there is nothing to do.
    void run(std::stop_token stop);

    /// Counts since the model was loaded; engine's thread only.
    [[nodiscard]] SchedulerCounters counters() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace vitrine
