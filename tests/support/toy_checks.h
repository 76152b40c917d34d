// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/toy_engine.h"

#include <QString>
#include <QtTest>

namespace vitrine::test {

using Members = std::vector<std::pair<std::uint32_t, std::int32_t>>; ///< as ToyEngine::members()

template<typename Event>
[[nodiscard]] std::vector<Event> eventsOf(const StepRecord& record)
{
    std::vector<Event> found;
    for (const StepEvent& event : record.events) {
        if (const auto* wanted = std::get_if<Event>(&event))
            found.push_back(*wanted);
    }
    return found;
}

/// The reason to wait that the newest record gives; QCOMPARE wants a value.
[[nodiscard]] inline WaitReason reasonOf(const ToyEngine& engine, SequenceId id)
{
    for (const auto& wait : eventsOf<event::Wait>(engine.lastRecord())) {
        if (wait.sequence == id)
            return wait.reason;
    }
    return WaitReason::Paused; // which no step gives
}

} // namespace vitrine::test

/// Everything came to its end, nothing is left in the pool, and no promise was broken on the way.
#define VERIFY_DRAINED(engine)                                                                               \
    do {                                                                                                     \
        QVERIFY((engine).runDry());                                                                          \
        QCOMPARE((engine).pool().totals().activeBlocks(), 0);                                                \
        QCOMPARE(QString::fromStdString((engine).firstFault()), QString());                                  \
    } while (false)
