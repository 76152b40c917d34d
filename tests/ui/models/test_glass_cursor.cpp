// SPDX-License-Identifier: GPL-3.0-or-later
// Two moments at once: what the engine does now, and the step that is shown.
#include "engine/trace/outbox.h"
#include "tests/support/glass_scene.h"
#include "tests/support/patience.h"
#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_history.h"

#include <QSignalSpy>
#include <QThreadPool>
#include <QtTest>

#include <map>
#include <random>
#include <set>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

StepBatchPtr batchOf(Outbox::Contents contents)
{
    return std::make_shared<const StepBatch>(
        StepBatch{std::move(contents.snapshot), std::move(contents.steps), contents.droppedSteps});
}

} // namespace

class TestGlassCursor : public QObject {
    Q_OBJECT
private slots:
    void theCursorShowsAStepAsItWasWhileTheEngineRunsOn()
    {
        GlassScene scene(SceneKind::EightChats);
        GlassModel& glass = scene.glass();
        scene.ask(1, 40, 60);
        scene.ask(2, 40, 60);
        std::map<std::uint64_t, PoolSnapshot> truth;
        for (int i = 0; i < 30; ++i) {
            scene.advance(1, 1);
            truth[glass.shownStep()] = glass.pool().snapshot();
        }
        const auto [step, then] = *std::next(truth.begin(), 10);
        QSignalSpy moved(&glass, &GlassModel::cursorChanged);
        glass.setCursor(step);
        QCOMPARE(moved.size(), 1);
        QVERIFY(glass.pool().snapshot() == then);
        QVERIFY(glass.newestPool().snapshot() == truth.rbegin()->second);
        QCOMPARE(glass.shownStep(), step);
        QCOMPARE(glass.shownStepFigures()->step, step);
        const PoolFigures figures = glass.figures();
        scene.advance(5, 1);
        QCOMPARE(glass.shownStep(), step); // what is shown stays
        QCOMPARE(glass.figures(), figures);
        QVERIFY(glass.changedBlocks().empty());
        QCOMPARE(glass.newestPool().step(), truth.rbegin()->first + 5);
        QVERIFY(glass.newestActivity(scene.engine().scheduler().running().front()->id));
        for (const auto& [at, state] : truth) {
            glass.setCursor(at);
            QVERIFY2(glass.pool().snapshot() == state, qPrintable(QString::number(at)));
        }
        glass.setCursor({});
        QCOMPARE(glass.pool().snapshot().checksum, scene.engine().snapshot().checksum);
    }

    /// What the panels repaint is all that differs, however the cursor moves.
    void changedBlocksAreTheDifference()
    {
        GlassScene scene(SceneKind::Pressure);
        GlassModel& glass = scene.glass();
        const StepRange range = *glass.cursorRange();
        std::mt19937 random(3);
        PoolSnapshot before = glass.pool().snapshot();
        for (int i = 0; i < 60; ++i) {
            if (i % 7 == 6)
                glass.setCursor({});
            else if (i % 3 == 0)
                glass.setCursor(range.first + random() % (range.last - range.first));
            else
                glass.moveCursor(i % 3 == 1 ? 1 : -1);
            const PoolSnapshot after = glass.pool().snapshot();
            std::set<std::uint32_t> told;
            for (const BlockId block : glass.changedBlocks())
                told.insert(block.value);
            for (std::uint32_t block = 0; block < after.blocks.size(); ++block)
                QVERIFY(before.blocks[block] == after.blocks[block] || told.contains(block));
            before = after;
        }
    }

    void waitsAndRatesAreThoseOfTheStepShown()
    {
        GlassScene scene(SceneKind::Pressure);
        GlassModel& glass = scene.glass();
        const BatchHistory& batches = glass.batches();
        int waiting = 0;
        for (const StepFigures& step : batches.steps()) {
            if (step.step % 9 != 0)
                continue;
            glass.setCursor(step.step);
            for (const SequenceRow* row : batches.waitingAt(glass.shownStep())) {
                QVERIFY(isWaiting(row->spanAt(step.step)->cell.phase));
                QVERIFY(isWaiting(glass.activity(row->sequence)->phase));
                ++waiting;
            }
            QVERIFY(batches.waitingAt(glass.shownStep()).size() >=
                    std::size_t(step.waiting)); // the running may wait for room
        }
        QVERIFY(waiting > 0);
    }

    /// Latencies and fragmentation as they were shown then.
    void latenciesAndFragmentationAreThoseOfTheStepShown()
    {
        GlassScene scene(SceneKind::Pressure);
        GlassModel& glass = scene.glass();
        struct Figures {
            std::vector<double> ttft, itl, tpot;
            double fragmentation;
        };
        const auto figures = [&glass] {
            const MetricsHistory& metrics = glass.metrics();
            const std::uint64_t step = glass.shownStep();
            return Figures{metrics.ttft().at(step).values(), metrics.itl().at(step).values(),
                           metrics.tpot().at(step).values(), glass.pool().freeRuns().fragmentation()};
        };
        std::map<std::uint64_t, Figures> then;
        for (int i = 0; i < 400; ++i) {
            if (i % 20 == 0)
                scene.ask(1 + i % 8, 30, 40);
            scene.advance(1, 1);
            then[glass.shownStep()] = figures();
        }
        QVERIFY(then.rbegin()->second.tpot.size() > then.begin()->second.tpot.size());
        for (const auto& [step, shown] : then) {
            if (step % 7 != 0)
                continue;
            glass.setCursor(step);
            const Figures now = figures();
            QCOMPARE(now.ttft, shown.ttft);
            QCOMPARE(now.itl, shown.itl);
            QCOMPARE(now.tpot, shown.tpot);
            QCOMPARE(now.fragmentation, shown.fragmentation);
            QCOMPARE(glass.shownStepFigures()->fragmentation, float(shown.fragmentation));
        }
    }

    void aCursorInAGapGoesToTheNextStepThatIsThere()
    {
        GlassScene scene(SceneKind::TwoChats);
        GlassModel& glass = scene.glass();
        scene.ask(1, 60, 200);
        scene.advance(10);
        const std::uint64_t before = glass.shownStep();
        for (int i = 0; i < 20; ++i)
            (void)scene.engine().step();
        auto batch = std::make_shared<StepBatch>();
        batch->snapshot = std::make_shared<const PoolSnapshot>(scene.engine().snapshot());
        batch->droppedSteps = 20;
        glass.apply(batch);
        scene.advance(10);
        glass.setCursor(before);
        glass.moveCursor(1);
        QCOMPARE(glass.cursor().value(), before + 21);
        glass.moveCursor(-1);
        QCOMPARE(glass.cursor().value(), before);
        glass.setCursor(before + 7);
        QCOMPARE(glass.cursor().value(), before + 21);
        // Only steps that are there are counted.
        glass.moveCursor(-3);
        QCOMPARE(glass.cursor().value(), before - 2);
        glass.moveCursor(5);
        QCOMPARE(glass.cursor().value(), before + 23);
        glass.moveCursor(-1'000'000);
        QCOMPARE(glass.cursor().value(), glass.cursorRange()->first);
        glass.moveCursor(1'000'000);
        QCOMPARE(glass.cursor().value(), glass.cursorRange()->last);
    }

    /// A large pool's moments are made on another thread, also the snapshots of its recording.
    void theMomentsOfALargePoolAreExactToo()
    {
        SchedulerOptions options;
        options.numBlocks = 70'000;
        options.maxNumSeqs = 8;
        options.maxNumBatchedTokens = 512;
        GlassScene scene(options);
        GlassModel& glass = scene.glass();
        scene.engine().scheduler().checkEvery(1000);
        std::map<std::uint64_t, std::uint64_t> truth; // checksums
        for (int i = 0; i < 1200; ++i) {
            if (scene.engine().scheduler().running().size() < 4)
                scene.ask(1 + i % 8, 200, 60, 64);
            scene.advance(1, 1);
            truth[glass.newestPool().step()] = glass.newestPool().checksum();
            if (i % 100 == 0)
                QTest::qWait(20);
        }
        QTRY_VERIFY_WITH_TIMEOUT(glass.recording().newest()->segmentCount() > 1, kPatienceMillis);
        std::mt19937 random(2);
        for (int i = 0; i < 12; ++i) {
            const auto [step, checksum] = *std::next(truth.begin(), random() % (truth.size() - 20));
            glass.setCursor(step);
            scene.advance(1, 1);
            QTRY_COMPARE_WITH_TIMEOUT(glass.cursor().value_or(0), step, kPatienceMillis);
            QCOMPARE(glass.pool().checksum(), checksum);
            glass.moveCursor(1);
            QCOMPARE(glass.cursor().value(), step + 1); // at once: it is near
            QCOMPARE(glass.pool().checksum(), truth[step + 1]);
        }
        // The last wish counts, also where the first is under way.
        glass.setCursor(truth.begin()->first);
        glass.setCursor(truth.begin()->first + 300);
        QTRY_COMPARE_WITH_TIMEOUT(glass.cursor().value(), truth.begin()->first + 300, kPatienceMillis);
        glass.setCursor(truth.begin()->first);
        glass.setCursor({});
        QVERIFY(QThreadPool::globalInstance()->waitForDone()); // what was found is of no use any more
        QCoreApplication::processEvents();
        QVERIFY(!glass.cursor());
        const auto anyhow = [](std::uint64_t) { return true; };
        QVERIFY(ui::check(*glass.recording().newest(), anyhow));
        // A replay begins with its first step, too.
        GlassModel replayed(&scene.directory());
        replayed.show(*replay(glass.recording(), glass.pool().generation(), anyhow));
        QTRY_COMPARE_WITH_TIMEOUT(replayed.cursor().value_or(0), truth.begin()->first, kPatienceMillis);
        QCOMPARE(replayed.pool().checksum(), truth.begin()->second);
        replayed.setCursor({});
        QTRY_COMPARE_WITH_TIMEOUT(replayed.cursor().value(), replayed.cursorRange()->last, kPatienceMillis);
        QCOMPARE(replayed.pool().checksum(), replayed.newestPool().checksum());
    }

    /// Asleep for 2,000 steps: whole steps are dropped, counted and shown, the views start again exactly, and
    /// all that the engine does more is one snapshot each time that its outbox is full.
    void aSleeperLosesWholeStepsAndNothingElse()
    {
        constexpr int kKept = 64, kAsleep = 2000;
        GlassScene scene(SceneKind::TwoChats);
        GlassModel& glass = scene.glass();
        Outbox outbox(kKept);
        outbox.reset(scene.engine().snapshot());
        glass.apply(batchOf(outbox.drain()));
        for (int chat = 0; chat < 8; ++chat)
            scene.ask(chat, 30, 400);
        int snapshots = 0;
        const auto takeSnapshot = [&] {
            ++snapshots;
            return scene.engine().snapshot();
        };
        const std::uint64_t first = scene.engine().scheduler().step() + 1;
        for (int i = 0; i < kAsleep; ++i) {
            if (scene.engine().scheduler().running().size() < 4)
                scene.ask(i % 8, 30, 400);
            outbox.post(scene.engine().step(), takeSnapshot);
        }
        QCOMPARE(snapshots, kAsleep / (kKept + 1));
        glass.apply(batchOf(outbox.drain()));
        QCOMPARE(glass.newestPool().snapshot().checksum, scene.engine().snapshot().checksum);
        QCOMPARE(glass.health().droppedSteps, std::uint64_t(kAsleep / (kKept + 1) * (kKept + 1)));
        QVERIFY(!glass.health().mismatchStep);
        QCOMPARE(glass.cursorRange()->last, scene.engine().scheduler().step());
        QCOMPARE(glass.cursorRange()->first, first + glass.health().droppedSteps);
    }

    /// In less memory than the run takes: the cursor's step leaves, and the oldest that is there is shown.
    void aCursorWhoseStepLeavesGoesToTheOldest()
    {
        GlassScene scene(SceneKind::TwoChats, 1, 40'000);
        GlassModel& glass = scene.glass();
        scene.ask(1, 30, 100);
        scene.advance(20);
        glass.setCursor(glass.cursorRange()->first);
        const std::uint64_t oldest = glass.cursor().value();
        for (int i = 0; i < 40; ++i) {
            scene.ask(1 + i % 4, 30, 100);
            scene.advance(50);
            QVERIFY(glass.recording().bytes() <= 40'000);
            QVERIFY(glass.cursor().value() >= glass.cursorRange()->first);
            QCOMPARE(glass.pool().step(), glass.cursor().value());
        }
        QVERIFY(glass.cursor().value() > oldest);
        QCOMPARE(glass.cursor().value(), glass.cursorRange()->first);
    }
};

QTEST_GUILESS_MAIN(TestGlassCursor)
#include "test_glass_cursor.moc"
