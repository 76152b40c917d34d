// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/trace/step_record.h"

#include <cstddef>
#include <utility>

namespace vitrine {

/// Collects the events of the current step. Whatever happens between two steps (a cancellation) belongs to
/// the next. Turned off, it costs one predictable branch an event: the simulator and `vitrine-cli` run
/// without views.
class StepRecorder {
public:
    explicit StepRecorder(bool enabled = true)
        : m_enabled(enabled)
    {
    }

    [[nodiscard]] bool enabled() const { return m_enabled; }

    template<typename Event>
    void record(const Event& event)
    {
        if (m_enabled)
            m_current.events.push_back(event);
    }

    /// The scheduler fills in step, tokenBudget, running, waiting and poolChecksum; the engine the times.
    [[nodiscard]] StepRecord& current() { return m_current; }

    /// The record so far; the next one starts empty, with room for as many events.
    [[nodiscard]] StepRecord take()
    {
        StepRecord next;
        next.events.reserve(m_current.events.size());
        return std::exchange(m_current, std::move(next));
    }

private:
    bool m_enabled;
    StepRecord m_current;
};

} // namespace vitrine
