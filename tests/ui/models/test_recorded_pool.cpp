// SPDX-License-Identifier: GPL-3.0-or-later
// Any step of a recording is what it was, also after it was saved and opened again. Further than in CI:
// VITRINE_RECORDED_STEPS=1000000 QTEST_FUNCTION_TIMEOUT=36000000 test_recorded_pool everyStepIsWhatItWas
#include "tests/support/recorded_run.h"
#include "tests/support/workload_engine.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recorded_pool.h"
#include "ui/models/recording_file.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

constexpr std::uint64_t kSteps = 30'000;

std::uint64_t wantedSteps()
{
    const qulonglong asked = qEnvironmentVariable("VITRINE_RECORDED_STEPS").toULongLong();
    return asked > 0 ? asked : kSteps;
}

bool agrees(const RecordedRun& run, const RecordingPart& part, RecordedPool& pool, std::uint64_t step)
{
    const auto truth = run.truth().find(step);
    if (!part.segmentOf(step))
        return !pool.moveTo(part, step);
    return truth != run.truth().end() && pool.moveTo(part, step) && pool.pool().snapshot() == truth->second;
}

/// Every step forwards, then some backwards, then as many at random.
bool everyStepAgrees(const RecordedRun& run, const RecordingPart& part)
{
    RecordedPool pool;
    bool good = true;
    for (std::uint64_t step = 0; step <= part.lastStep() + 2; ++step)
        good &= agrees(run, part, pool, step);
    for (std::uint64_t step = part.lastStep() + 1; step + 30 > part.lastStep() && step > 0; --step)
        good &= agrees(run, part, pool, step);
    std::mt19937 random(unsigned(part.lastStep()));
    for (int i = 0; i < 60; ++i)
        good &= agrees(run, part, pool, random() % (part.lastStep() + 1));
    return good;
}

bool holdsTheLastSteps(const RecordedRun& run)
{
    const RecordingPart& part = run.part();
    return part.lastStep() == run.truth().rbegin()->first &&
           std::ranges::all_of(run.truth(), [&part](const auto& step) {
               return step.first < part.firstStep() || part.segmentOf(step.first).has_value();
           });
}

} // namespace

class TestRecordedPool : public QObject {
    Q_OBJECT
private slots:
    /// All modes; a third of the runs with dropped steps, a third in so little memory that steps leave.
    void everyStepIsWhatItWas()
    {
        std::uint64_t steps = 0;
        std::uint64_t seed = 1;
        QTemporaryDir folder;
        const QString file = folder.filePath("run.vitrine-recording");
        const FileProgress anyhow = [](double) { return true; };
        QElapsedTimer timer;
        timer.start();
        for (; steps < wantedSteps(); ++seed) {
            const bool little = seed % 3 == 2;
            const RecordedRun run(seed, seed % 10 == 0 ? 4000 : 500, seed % 3 == 1,
                                  little ? 60'000 : Recording::kDefaultBytes);
            const std::string where = "seed " + std::to_string(seed);
            QVERIFY2(run.firstFault() == 0, where.c_str());
            QVERIFY2(run.recording().bytes() <= run.recording().maxBytes(), where.c_str());
            QVERIFY2(holdsTheLastSteps(run), where.c_str());
            QVERIFY2(everyStepAgrees(run, run.part()), where.c_str());
            QVERIFY2(saveRecording({{}, run.recording()}, file, anyhow), where.c_str());
            const Result<RecordingContents> opened = openRecording(file, anyhow);
            QVERIFY2(opened, opened ? "" : (where + ": " + opened.error().line()).c_str());
            const RecordingPart& again = *opened->recording.newest();
            QCOMPARE(again.stepCount(), run.part().stepCount());
            QVERIFY2(everyStepAgrees(run, again), where.c_str());
            steps += run.steps();
        }
        qInfo("%llu steps of %llu seeds in %lld ms", (unsigned long long)steps,
              (unsigned long long)(seed - 1), (long long)timer.elapsed());
    }

    void gapsAreKept()
    {
        const RecordedRun run(4, 4000, true);
        const RecordingPart& part = run.part();
        QVERIFY(run.droppedSteps() > 0);
        QCOMPARE(part.lastStep() + 1 - part.firstStep() - part.stepCount(), run.droppedSteps());
        std::uint64_t gap = part.firstStep();
        while (part.segmentOf(gap))
            ++gap;
        QVERIFY(run.truth().find(gap) == run.truth().end());
        QCOMPARE(part.nearestAtOrBefore(gap), gap - 1);
        const std::uint64_t after = part.nearestAtOrAfter(gap);
        QVERIFY(after > gap && part.segmentOf(after) && !part.segmentOf(after - 1));
        const Result<RecordedHistory> history =
            replay(run.recording(), part.generation, [](std::uint64_t) { return true; });
        QVERIFY(history);
        QCOMPARE(history->droppedSteps, run.droppedSteps());
        QCOMPARE(history->batches.steps().size(), std::size_t(part.stepCount()));
        QVERIFY(history->batches.at(gap) == nullptr);
    }

    void severalPoolsAreSeparateParts()
    {
        Recording recording;
        QVERIFY(!recording.newest() && !recording.hasSteps());
        for (std::uint32_t generation : {1u, 2u}) {
            WorkloadRunner runner(randomMode(generation));
            PoolMirror mirror;
            PoolSnapshot start = runner.engine().scheduler().snapshot();
            start.generation = generation;
            QVERIFY(mirror.apply(start));
            recording.start(mirror.snapshot());
            runner.afterStep = [&] {
                StepRecord record = runner.engine().lastRecord();
                record.generation = generation;
                QVERIFY(mirror.apply(record));
                recording.append(record, [&] { return mirror.snapshot(); });
                record.generation = 3 - generation;
                recording.append(record, [&] { return mirror.snapshot(); }); // of another pool: not taken
            };
            std::uint64_t random = 5;
            for (int i = 0; i < 600; ++i)
                runner.run(randomOperation(random));
        }
        QCOMPARE(recording.parts().size(), std::size_t(2));
        QVERIFY(recording.part(1)->hasSteps() && recording.part(2)->hasSteps() && !recording.part(3));
        const Recording copy = recording;
        PoolSnapshot none;
        none.generation = 3;
        recording.start(none);
        QCOMPARE(recording.newest()->generation, 3u); // no blocks: nothing to record
        QVERIFY(!recording.newest()->hasSteps());
        QCOMPARE(copy.newest()->generation, 2u);
        QVERIFY(check(copy.parts()[0], [](std::uint64_t) { return true; }));
    }

    void whatContradictsItselfIsRefusedWithTheStep()
    {
        ToyEngine engine(toyOptions());
        PoolMirror mirror;
        QVERIFY(mirror.apply(engine.scheduler().snapshot()));
        Recording recording;
        recording.start(mirror.snapshot());
        engine.submit(5, 9);
        for (int i = 0; i < 6; ++i) {
            engine.step();
            StepRecord record = engine.lastRecord();
            record.poolChecksum ^= record.step == 4 ? 1 : 0;
            recording.append(record, [&] { return mirror.snapshot(); });
        }
        const Result<void> checked = check(*recording.newest(), [](std::uint64_t) { return true; });
        QVERIFY(!checked);
        QVERIFY2(checked.error().what.find("step 4") != std::string::npos, checked.error().what.c_str());
    }

    /// An hour of eight chats: 400,000 records in no more memory than allowed, and the newest can be reached.
    void anHourStaysWithinItsMemory()
    {
        SchedulerOptions options;
        options.numBlocks = 2048;
        options.blockSize = 16;
        options.maxNumSeqs = 16;
        options.maxNumBatchedTokens = 512;
        options.maxModelLen = 2048;
        WorkloadEngine engine(options);
        engine.scheduler().checkEvery(1000);
        PoolMirror mirror;
        QVERIFY(mirror.apply(engine.snapshot()));
        Recording recording(std::size_t(16) << 20);
        recording.start(mirror.snapshot());
        std::size_t most = 0;
        qint64 nanoseconds = 0;
        QElapsedTimer timer;
        for (int step = 0; step < 400'000; ++step) {
            while (engine.scheduler().running().size() + std::size_t(engine.scheduler().waitingCount()) < 8)
                engine.submit(200, 400, 64);
            const StepRecord record = engine.step();
            if (!mirror.apply(record))
                QFAIL("the mirror differs");
            timer.start();
            recording.append(record, [&] { return mirror.snapshot(); });
            nanoseconds += timer.nsecsElapsed();
            most = std::max(most, recording.bytes());
        }
        QVERIFY(most <= recording.maxBytes());
        QVERIFY(most > recording.maxBytes() * 9 / 10);
        const RecordingPart& part = *recording.newest();
        timer.start();
        RecordedPool pool;
        QVERIFY(pool.moveTo(part, part.lastStep()));
        const qint64 seek = timer.nsecsElapsed();
        QVERIFY(pool.pool().snapshot() == mirror.snapshot());
        qInfo("%.0f bytes a step, %llu of 400,000 steps kept, %lld ns to append, %lld us to seek",
              double(recording.bytes()) / double(part.stepCount()), (unsigned long long)part.stepCount(),
              (long long)(nanoseconds / 400'000), (long long)(seek / 1000));
    }

    void aPoolThatIsTooLargeForTheMemoryIsNotRecorded()
    {
        ToyEngine engine(toyOptions(200));
        Recording recording(400);
        recording.start(engine.scheduler().snapshot());
        engine.submit(5, 3);
        engine.step();
        recording.append(engine.lastRecord(), [&] { return engine.scheduler().snapshot(); });
        QVERIFY(!recording.hasSteps());
        QVERIFY(recording.newest() && recording.bytes() <= 400);
    }
};

QTEST_GUILESS_MAIN(TestRecordedPool)
#include "test_recorded_pool.moc"
