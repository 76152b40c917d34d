// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "tests/support/settle.h"
#include "ui/models/batch_history.h"
#include "ui/models/block_map_model.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/pool_sentence.h"
#include "ui/models/recorded_history.h"
#include "ui/models/step_sentence.h"
#include "ui/models/throughput_series.h"

#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <malloc.h>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

class TestGlassModel : public QObject {
    Q_OBJECT
private slots:
    void changesAreToldOncePerDrain()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.ask(1, 100, 50);
        QSignalSpy changed(&scene.glass(), &GlassModel::changed);
        scene.advance(20, 5);
        QCOMPARE(changed.count(), 4);
    }

    void whatArrivesWithinAFrameIsShownWithTheNextOne()
    {
        GlassScene scene(SceneKind::Loaded);
        QSignalSpy labels(&scene.glass(), &GlassModel::labelsChanged);
        scene.ask(1, 100, 50);
        QTRY_COMPARE(labels.count(), 2); // the chat's name at once, whose the sequence is with the next frame
        settle(kFrameInterval + std::chrono::milliseconds(20));
        QSignalSpy changed(&scene.glass(), &GlassModel::changed);
        const auto receiveStep = [&scene] {
            auto batch = std::make_shared<StepBatch>();
            batch->steps.push_back(scene.engine().step());
            scene.glass().receive(batch);
        };
        receiveStep();
        QCOMPARE(changed.count(), 1);
        const std::uint64_t shown = scene.glass().pool().step();
        for (int i = 0; i < 5; ++i)
            receiveStep();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(scene.glass().pool().step(), shown);
        QTRY_COMPARE(changed.count(), 2);
        QCOMPARE(scene.glass().pool().step(), shown + 5);
    }

    void labelsChangeAtOnceOrWithTheNextFrame()
    {
        GlassScene scene(SceneKind::Loaded);
        GlassModel& glass = scene.glass();
        QSignalSpy labels(&glass, &GlassModel::labelsChanged);
        QSignalSpy changed(&glass, &GlassModel::changed);
        scene.directory().describeChat({1, QStringLiteral("one"), 1});
        QCOMPARE(labels.count(), 1);
        QCOMPARE(changed.count(), 1);
        scene.directory().describeChat({2, QStringLiteral("two"), 2});
        scene.directory().describeChat({2, QStringLiteral("three"), 2});
        QCOMPARE(labels.count(), 1);
        QTRY_COMPARE(labels.count(), 2);
        QCOMPARE(changed.count(), 2);
    }

    /// An hour of eight chats at 28 steps a second, in simulated time: all that is kept, in bytes.
    void whatIsKeptOfAnHourStaysWithinItsBounds()
    {
        SchedulerOptions options;
        options.numBlocks = 2048;
        options.maxNumSeqs = 8;
        const std::size_t before = mallinfo2().uordblks;
        GlassScene scene(options);
        scene.engine().scheduler().checkEvery(10'000);
        scene.engine().stepMicros = 34'000;
        int chat = 0;
        while (scene.engine().nowSeconds() < 3600) {
            while (scene.engine().scheduler().running().size() +
                       std::size_t(scene.engine().scheduler().waitingCount()) <
                   8)
                scene.ask(++chat % 8 + 1, 200, 300, 64);
            scene.advance(30, 30);
        }
        const GlassModel& glass = scene.glass();
        const std::size_t held = mallinfo2().uordblks - before;
        qInfo("%llu steps, %.1f MiB, of these recorded %.1f", (unsigned long long)glass.shownStep(),
              double(held) / (1 << 20), double(glass.recording().bytes()) / (1 << 20));
        QVERIFY(glass.shownStep() > 80'000);
        QVERIFY(glass.recording().bytes() <= glass.recording().maxBytes());
        QVERIFY(glass.batches().steps().size() <= BatchHistory::kMaxSteps);
        QVERIFY(glass.metrics().bins().size() <= MetricsHistory::kMaxBins + 1);
        QVERIFY(glass.metrics().itl().size() <= MetricsHistory::kMostGaps);
        QVERIFY(held < std::size_t(160) << 20);
    }

    /// The head of the queue need not be the oldest: those behind it say who it is.
    void theSentenceNamesTheHeadOfTheQueue()
    {
        GlassScene scene(SceneKind::TwoChats);
        const PoolMirror& pool = scene.glass().newestPool();
        StepRecord record;
        record.generation = pool.generation();
        record.step = pool.step() + 1;
        record.beginSeconds = record.endSeconds = scene.engine().nowSeconds();
        record.poolChecksum = pool.checksum();
        record.waiting = 2;
        const SequenceId older{901}, head{902};
        record.events = {event::Arrive{older, 9, 0}, event::Arrive{head, 9, 0},
                         event::Wait{head, WaitReason::MaxNumSeqs, 3, 2},
                         event::Wait{older, WaitReason::BehindHead, 1, 0, head}};
        scene.glass().apply(std::make_shared<const StepBatch>(StepBatch{nullptr, {record}, 0}));
        const QString sentence = poolSentence(scene.glass());
        QVERIFY2(sentence.contains("2 wait, first “sequence 902”: the batch of 2 is full"),
                 qPrintable(sentence));
        QCOMPARE(describe(*scene.glass().activity(older), scene.directory()),
                 QStringLiteral("waits: behind “sequence 902”"));
    }

    /// A large pool's cells are looked at slice by slice; in the end all show what their blocks are.
    void cellsOfALargePoolCatchUp()
    {
        SchedulerOptions options;
        options.numBlocks = 150'000;
        options.maxNumBatchedTokens = 8192;
        GlassScene scene(options);
        scene.engine().scheduler().checkEvery(1000);
        scene.ask(1, 20'000, 50);
        scene.advance(20);
        BlockMapModel map(scene.glass());
        QVERIFY(map.isBehind());
        const auto catchUp = [&map](std::size_t changed) {
            int slices = 1;
            for (; map.isBehind(); ++slices)
                changed += map.lookOn().size();
            return std::pair(slices, changed);
        };
        QCOMPARE(catchUp(0).first, 3);
        const auto active = std::size_t(scene.glass().figures().activeBlocks);
        QVERIFY(active > 1000);
        scene.directory().describeChat({1, QStringLiteral("one"), 5});
        QCOMPARE(catchUp(map.recolor().size()), (std::pair(3, active)));
        QVERIFY(!map.isBehind());
        for (std::uint32_t block = 1; block < 150'000; ++block) {
            const bool isFree = scene.glass().pool().isFree(BlockId{block});
            QCOMPARE(map.cell(BlockId{block}).kind, isFree ? BlockKind::Clean : BlockKind::Active);
            QCOMPARE(map.cell(BlockId{block}).colorSlot, std::int16_t(isFree ? -1 : 5));
        }
    }

    /// What is asked for at each frame is cheap, and says when there is something new to draw.
    void aChartIsAnotherOnlyWhereItsSpanIs()
    {
        GlassScene scene(SceneKind::TwoChats);
        scene.ask(1, 60, 900);
        ThroughputSpan span;
        ThroughputSeries series;
        int others = 0;
        for (int i = 0; i < 600; ++i) {
            scene.advance(1, 1);
            const ThroughputSpan now = throughputSpan(scene.glass(), 30, 60);
            const ThroughputSeries drawn = throughputSeries(scene.glass(), now);
            if (now == span) {
                QCOMPARE(drawn.seconds, series.seconds);
                QCOMPARE(drawn.decodeRate, series.decodeRate);
                QCOMPARE(drawn.prefillRate, series.prefillRate);
            }
            others += now != span;
            span = now;
            series = drawn;
        }
        QVERIFY2(others > 2 && others < 30, qPrintable(QString::number(others)));
    }

    void aWrongChecksumIsAStateToShow()
    {
        GlassScene scene(SceneKind::TwoChats);
        QVERIFY(!scene.glass().health().mismatchStep);
        QVERIFY(traceWarning(scene.glass()).isEmpty());
        auto batch = std::make_shared<StepBatch>();
        batch->steps.push_back(scene.engine().step());
        batch->steps.back().poolChecksum ^= 1;
        scene.glass().apply(batch);
        QCOMPARE(scene.glass().health().mismatchStep.value(), batch->steps.back().step);
        QVERIFY(!traceWarning(scene.glass()).isEmpty());
        scene.advance(5);
        QCOMPARE(scene.glass().health().mismatchStep.value(), batch->steps.back().step);
        // What is recorded ends before it, and so can be saved and opened.
        const RecordingPart& part = *scene.glass().recording().newest();
        QCOMPARE(part.lastStep(), batch->steps.back().step - 1);
        QVERIFY(check(part, [](std::uint64_t) { return true; }));
    }

    void droppedStepsAreCountedAndTheViewGoesOnFromTheSnapshot()
    {
        GlassScene scene(SceneKind::TwoChats);
        const std::size_t kept = scene.glass().batches().steps().size();
        for (int i = 0; i < 40; ++i)
            (void)scene.engine().step(); // nobody sees these
        auto batch = std::make_shared<StepBatch>();
        batch->snapshot = std::make_shared<const PoolSnapshot>(scene.engine().snapshot());
        batch->droppedSteps = 40;
        QSignalSpy replaced(&scene.glass(), &GlassModel::poolReplaced);
        scene.glass().apply(batch);
        scene.advance(10);
        QCOMPARE(replaced.count(), 0);
        QCOMPARE(scene.glass().health().droppedSteps, std::uint64_t{40});
        QVERIFY(traceWarning(scene.glass()).contains(QStringLiteral("40")));
        QVERIFY(!scene.glass().health().mismatchStep);
        QCOMPARE(scene.glass().batches().steps().size(), kept + 10);
        QCOMPARE(scene.glass().pool().snapshot().checksum, scene.engine().snapshot().checksum);
    }

    void aSnapshotThatContradictsItselfIsAStateToShowUntilTheNextOne()
    {
        GlassScene scene(SceneKind::TwoChats);
        PoolSnapshot wrong = scene.engine().snapshot();
        wrong.checksum ^= 1;
        for (const std::uint64_t dropped : {0, 40}) { // another pool, or the same one after a gap
            auto batch = std::make_shared<StepBatch>();
            batch->snapshot = std::make_shared<const PoolSnapshot>(wrong);
            batch->droppedSteps = dropped;
            scene.glass().apply(batch);
            QCOMPARE(scene.glass().health().mismatchStep, std::optional(wrong.step));
            QCOMPARE(scene.glass().health().droppedSteps, dropped);
        }
        auto good = std::make_shared<StepBatch>();
        good->snapshot = std::make_shared<const PoolSnapshot>(scene.engine().snapshot());
        scene.glass().apply(good);
        QVERIFY(!scene.glass().health().mismatchStep);
    }

    void aNewPoolStartsAgain()
    {
        GlassScene scene(SceneKind::TwoChats);
        scene.glass().setCursor(3);
        WorkloadEngine other(SchedulerOptions{.numBlocks = 30});
        auto batch = std::make_shared<StepBatch>();
        batch->snapshot = std::make_shared<const PoolSnapshot>(other.snapshot());
        QSignalSpy replaced(&scene.glass(), &GlassModel::poolReplaced);
        scene.glass().apply(batch);
        QCOMPARE(replaced.count(), 1);
        QVERIFY(scene.glass().batches().empty());
        QVERIFY(!scene.glass().cursor());
        QCOMPARE(scene.glass().figures().usableBlocks, 29);
    }

    void stillnessIsNoticed()
    {
        GlassScene scene(SceneKind::Loaded);
        QVERIFY(scene.glass().isIdle());
        scene.ask(1, 100, 50);
        scene.advance(5);
        QVERIFY(!scene.glass().isIdle());
        QSignalSpy idle(&scene.glass(), &GlassModel::becameIdle);
        QVERIFY(idle.wait(3000));
        QVERIFY(scene.glass().isIdle());
    }

    void theSentenceSaysWhoWaitsForWhat()
    {
        GlassScene scene(SceneKind::Loaded);
        QVERIFY(poolSentence(scene.glass()).startsWith(QStringLiteral("Nothing runs")));
        scene.ask(1, 100, 50);
        scene.advance(3);
        QCOMPARE(poolSentence(scene.glass()),
                 QStringLiteral("1 request runs, nobody waits. 9 % of the active slots are still empty "
                                "(pale), and so wasted."));

        SchedulerOptions small;
        small.numBlocks = 9; // eight usable blocks of 16
        GlassScene tight(small);
        tight.ask(1, 100, 20); // seven blocks
        tight.ask(2, 60, 20);  // four
        tight.ask(3, 40, 20);
        tight.advance(3);
        QCOMPARE(
            poolSentence(tight.glass()),
            QStringLiteral("1 run, 2 wait, first “東京から京都まで新幹線で行くときの一番早い行き…”: 4 blocks "
                           "needed, 1 free; the other one is behind it. 9 % of the active slots are still "
                           "empty (pale), and so wasted."));
    }

    /// Reason and pool are of two moments of one step; where they differ both are named.
    void theSentenceNamesTheMomentOfItsReason()
    {
        SchedulerOptions small;
        small.numBlocks = 9; // eight usable blocks of 16
        GlassScene tight(small);
        tight.ask(1, 100, 4); // seven blocks, and soon none
        tight.ask(2, 60, 20);
        tight.advance(3);
        QVERIFY(poolSentence(tight.glass()).contains(QStringLiteral("4 blocks needed, 1 free. ")));
        tight.advance(1, 1);
        QCOMPARE(tight.glass().figures().activeBlocks, 0);
        QVERIFY2(
            poolSentence(tight.glass())
                .contains(QStringLiteral("4 blocks needed, 1 free when the step was planned, 8 at its end.")),
            qPrintable(poolSentence(tight.glass())));
    }

    /// Nobody's reason is unknown where all the others have the same.
    void theSentenceSpeaksForThoseBehindTheFirst()
    {
        SchedulerOptions options;
        options.numBlocks = 9; // eight usable blocks of 16
        GlassScene blocks(options);
        options.numBlocks = 100;
        options.maxNumSeqs = 1;
        GlassScene places(options);
        for (GlassScene* scene : {&blocks, &places}) {
            for (int chat = 1; chat <= 4; ++chat)
                scene->ask(chat, 100, 20);
            scene->advance(3);
        }
        const QString behind = poolSentence(blocks.glass());
        QVERIFY2(behind.contains(QStringLiteral(" free; the others are behind it. ")), qPrintable(behind));
        const QString alike = poolSentence(places.glass());
        QVERIFY2(alike.contains(QStringLiteral("the batch of 1 is full; the others wait for the same. ")),
                 qPrintable(alike));
    }

    /// Why the curve fell, in words.
    void aStepTellsWhatHappenedInIt()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.ask(1, 100, 50);
        scene.advance(10);
        GlassModel& glass = scene.glass();
        const std::uint64_t quiet = glass.shownStep();
        QCOMPARE(stepSentence(glass, quiet), QStringLiteral("Nobody came, ended or was thrown out."));
        scene.ask(2, 400, 50);
        scene.advance(1);
        const QString fell = stepSentence(glass, quiet + 1);
        QVERIFY2(fell.startsWith(QStringLiteral("Tokens/s fell from ")) &&
                     fell.contains(QStringLiteral("(“東京")),
                 qPrintable(fell));
        QCOMPARE(glass.batches().at(quiet + 1)->prefillTokens, 400);
        QVERIFY2(fell.contains(QStringLiteral(": the step took ")), qPrintable(fell));
        QVERIFY2(fell.contains(QStringLiteral("400 prompt token")), qPrintable(fell));
        scene.advance(1);
        QVERIFY2(stepSentence(glass, quiet + 2).startsWith(QStringLiteral("Tokens/s rose from ")),
                 qPrintable(stepSentence(glass, quiet + 2)));
        QCOMPARE(stepSentence(glass, quiet + 1000), QString());

        GlassScene pressure(SceneKind::Pressure);
        int told = 0;
        const auto& batches = pressure.glass().batches();
        for (const StepFigures& step : batches.steps())
            if (step.preemptions > 0)
                told += stepSentence(pressure.glass(), step.step)
                            .contains(QStringLiteral("thrown out (preempted), which freed "));
        QVERIFY(told > 0);
        QCOMPARE(told, int(std::ranges::count_if(batches.steps(),
                                                 [](const StepFigures& s) { return s.preemptions > 0; })));
    }

    void paddingIsCalledWaste()
    {
        GlassScene scene(SceneKind::Static);
        GlassModel& glass = scene.glass();
        const auto& steps = glass.batches().steps();
        const auto padded =
            std::ranges::find_if(steps, [](const StepFigures& step) { return step.padding == 2; });
        QVERIFY(padded != steps.end());
        glass.setCursor(padded->step);
        QVERIFY2(poolSentence(glass).contains(
                     QStringLiteral("2 row(s) of 8 are computed for answers that have ended: wasted.")),
                 qPrintable(poolSentence(glass)));
    }

    void cellsShowTheMirrorsState()
    {
        GlassScene scene(SceneKind::Pressure);
        const BlockMapModel model(scene.glass());
        const BlockPool& pool = scene.engine().scheduler().pool();
        for (std::uint32_t id = 1; id < static_cast<std::uint32_t>(pool.numBlocks()); ++id) {
            const BlockState& state = pool.state(BlockId{id});
            const BlockCell& cell = model.cell(BlockId{id});
            QCOMPARE(cell.kind == BlockKind::Active, state.refCount > 0);
            QCOMPARE(cell.kind == BlockKind::Cached, state.refCount == 0 && state.hashed);
            QCOMPARE(cell.shared, state.refCount > 1);
            if (cell.kind == BlockKind::Active)
                QCOMPARE(cell.filled, state.filled);
        }
        QCOMPARE(model.cell(kNullBlock).kind, BlockKind::Null);
    }

    void theNextToBeEvictedIsThePalest()
    {
        GlassScene scene(SceneKind::EightChats);
        const BlockMapModel model(scene.glass());
        int paleness = kPalenessLevels - 1;
        const FreeQueue& queue = scene.glass().pool().freeQueue();
        for (BlockId block = queue.front(); block != kNullBlock; block = queue.next(block)) {
            if (model.cell(block).kind != BlockKind::Cached)
                continue;
            QVERIFY(model.cell(block).paleness <= paleness);
            paleness = model.cell(block).paleness;
        }
        QCOMPARE(paleness, 0);
    }

    void detailsNameOwnersByTheirChats()
    {
        GlassScene scene(SceneKind::EightChats);
        const BlockMapModel model(scene.glass());
        const auto table = scene.glass().pool().table(scene.engine().scheduler().running().front()->id);
        const QString text = model.details(table.front()).text();
        QVERIFY(text.contains(QStringLiteral("shared by 8")));
        QVERIFY(text.contains(QStringLiteral("東京から京都まで")));
        QVERIFY(text.contains(QStringLiteral("tokens 0 to 15")));
        QVERIFY(model.details(kNullBlock).text().contains(QStringLiteral("null block")));
    }

    void ratesOfTheSeriesAddUp()
    {
        GlassScene scene(SceneKind::EightChats);
        const ThroughputSeries series = throughputSeries(scene.glass(), 3600, 100'000);
        double tokens = 0;
        double byChat = 0;
        for (qsizetype i = 0; i < series.size(); ++i) {
            tokens += series.decodeRate[i] * series.intervalSeconds;
            for (const auto& [chat, curve] : series.chats)
                byChat += curve.tokensPerSecond[i] * series.intervalSeconds;
            if (!std::isnan(series.batchSize[i]))
                QVERIFY(series.batchSize[i] <= 8);
        }
        // The interval under way is left out.
        const MetricsBin& open = scene.glass().metrics().bins().back();
        const double expected = double(scene.glass().metrics().totals().sampledTokens) - open.sampledTokens;
        QVERIFY(qAbs(tokens - expected) < 1e-6);
        QVERIFY(qAbs(byChat - expected) < 1e-6);
        QCOMPARE(series.chats.size(), std::size_t{8});
        QVERIFY(std::is_sorted(series.seconds.begin(), series.seconds.end()));
    }
};

QTEST_GUILESS_MAIN(TestGlassModel)
#include "test_glass_model.moc"
