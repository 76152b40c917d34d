// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_requests.h"
#include "tests/support/stepped_engine.h"
#include "ui/models/pool_mirror.h"

#include <QTest>

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

/// Paused, the engine computes what it is asked to and no more.
class EnginePausesTest : public QObject {
    Q_OBJECT
private slots:
    void pausedNothingRunsAndSingleStepsRunOneEach();
    void singleStepsWithNothingToDoAreNotSaved();
    void whatACommandChangesIsSeenWithoutAStep();
    void aCancellationIsSeenWhereNobodyRunsAnyMore();
};

namespace {

/// The pool as a view sees it.
struct Watched {
    SteppedEngine engine{smallEngine()};
    ui::PoolMirror mirror;
    std::size_t applied = 0;
    bool fits = true;

    Watched()
    {
        engine.load(kTinyModel);
        fits = mirror.apply(*engine.snapshot);
    }
    bool step()
    {
        const bool computed = engine.step();
        while (applied < engine.records.size())
            fits &= mirror.apply(engine.records[applied++]);
        return computed;
    }
};

std::size_t memberCount(const StepRecord& record)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        record.events, [](const StepEvent& event) { return std::holds_alternative<event::Member>(event); }));
}

} // namespace

void EnginePausesTest::pausedNothingRunsAndSingleStepsRunOneEach()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(8, 1), 10));
    engine.push(command::Pause{});
    QVERIFY(!engine.step());
    engine.push(command::SingleStep{});
    engine.push(command::SingleStep{});
    QVERIFY(engine.step());
    QVERIFY(engine.step());
    QVERIFY(!engine.step());
    QCOMPARE(engine[id].ids.size(), std::size_t(2));
    engine.push(command::Resume{});
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].ids.size(), std::size_t(10));
}

void EnginePausesTest::singleStepsWithNothingToDoAreNotSaved()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    engine.push(command::SingleStep{}); // not paused
    engine.push(command::Pause{});
    engine.push(command::SingleStep{}); // nothing to do
    QVERIFY(!engine.step());
    const RequestId id = engine.submit(greedy(promptOf(8, 1), 10));
    QVERIFY(!engine.step());
    QVERIFY(engine[id].ids.empty());
}

void EnginePausesTest::whatACommandChangesIsSeenWithoutAStep()
{
    Watched watched;
    const RequestId kept = watched.engine.submit(greedy(promptOf(20, 1), 10));
    const RequestId cancelled = watched.engine.submit(greedy(promptOf(40, 2), 10));
    QVERIFY(watched.step());
    QCOMPARE(watched.mirror.activeBlocks(), 2 + 3);
    watched.engine.push(command::Pause{});
    QVERIFY(!watched.step());
    const std::size_t before = watched.applied;

    watched.engine.cancel(cancelled);
    QVERIFY(!watched.step());
    QCOMPARE(watched.applied, before + 1);
    QVERIFY(watched.fits); // the checksum is the pool's own
    QCOMPARE(watched.mirror.activeBlocks(), 2);
    const StepRecord& record = watched.engine.records.back();
    QCOMPARE(memberCount(record), std::size_t(0));
    QCOMPARE(record.step, std::uint64_t(2));
    QCOMPARE(record.running, 1);
    QVERIFY(record.beginSeconds == record.endSeconds && record.beginSeconds > 0);
    QVERIFY(!watched.step());
    QCOMPARE(watched.applied, before + 1); // once

    watched.engine.push(command::Resume{});
    while (watched.step())
        QVERIFY(watched.fits);
    QCOMPARE(watched.engine.records.back().step, watched.applied);
    QCOMPARE(watched.engine[kept].ids.size(), std::size_t(10));
    QCOMPARE(watched.mirror.activeBlocks(), 0);
}

void EnginePausesTest::aCancellationIsSeenWhereNobodyRunsAnyMore()
{
    Watched watched;
    const RequestId only = watched.engine.submit(greedy(promptOf(20, 1), 10));
    QVERIFY(watched.step());
    watched.engine.cancel(only);
    QVERIFY(!watched.step());
    QVERIFY(watched.fits);
    QCOMPARE(watched.mirror.activeBlocks(), 0);
}

QTEST_GUILESS_MAIN(EnginePausesTest)
#include "test_engine_pauses.moc"
