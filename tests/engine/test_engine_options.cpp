// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_requests.h"
#include "tests/support/memory_limit.h"
#include "tests/support/sanitized.h"
#include "tests/support/stepped_engine.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

/// Other options change what differs and leave the rest: the weights always, the pool and what runs where
/// they can.
class EngineOptionsTest : public QObject {
    Q_OBJECT
private slots:
    void anotherPoolNeedsNoModelFile();
    void answersAreTheSameAfterEveryChange();
    void anotherPoolEndsWhatRunsOnce();
    void equalOptionsChangeNothing();
    void otherThreadsAbortNothing();
    void theSamePoolSaidInAnotherWayAbortsNothing();
    void refusedOptionsEndNothing_data();
    void refusedOptionsEndNothing();
    void refusedOptionsAreRefusedWhole();
    void thereAreNeverTwoPools();
    void aPoolThatDoesNotFitBringsTheOldOneBack();
    void withNoMemoryForAnyPoolTheModelIsGivenUp();
    void withoutAModelOptionsWaitForOne();
};

namespace {

/// 32 MiB: large enough for the memory to be taken from the system and given back to it.
EngineOptions largePool()
{
    EngineOptions options = smallEngine();
    options.kvCacheMib = 32;
    options.scheduler.numBlocks = 0;
    return options;
}

std::vector<TokenId> answerOf(SteppedEngine& engine)
{
    const RequestId id = engine.submit(greedy(promptOf(40, 1), 30));
    engine.runOut();
    return engine[id].ids;
}

} // namespace

void EngineOptionsTest::anotherPoolNeedsNoModelFile()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.gguf");
    QVERIFY(QFile::copy(QString::fromStdString(kTinyModel), path));
    SteppedEngine engine(smallEngine());
    engine.load(path.toStdString());
    const std::vector<TokenId> before = answerOf(engine);
    const int progressReports = engine.progressReports;
    QVERIFY(QFile::remove(path));

    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 9;
    engine.setOptions(options);
    QCOMPARE(engine.optionChanges, 1);
    QCOMPARE(engine.info.numBlocks, 9);
    QCOMPARE(engine.info.contextLength, 128);
    QCOMPARE(engine.info.path, path.toStdString());
    QCOMPARE(engine.progressReports, progressReports);
    QCOMPARE(engine.loads.size(), std::size_t(1));
    QCOMPARE(answerOf(engine), before);
}

void EngineOptionsTest::answersAreTheSameAfterEveryChange()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const std::vector<TokenId> before = answerOf(engine);
    QCOMPARE(before.size(), std::size_t(30));
    const auto changes = {+[](EngineOptions& o) { o.scheduler.blockSize = 32; },
                          +[](EngineOptions& o) { o.threads = 1; },
                          +[](EngineOptions& o) { o.scheduler.maxNumBatchedTokens = 7; },
                          +[](EngineOptions& o) { o.threads = 3; },
                          +[](EngineOptions& o) { o.backend = BackendChoice::Cpu; },
                          +[](EngineOptions& o) { o.scheduler.enablePrefixCaching = false; }};
    EngineOptions options = smallEngine();
    int count = 0;
    for (const auto& change : changes) {
        change(options);
        engine.setOptions(options);
        QCOMPARE(engine.optionChanges, ++count);
        QCOMPARE(answerOf(engine), before);
        QVERIFY(poolIsWhole(engine));
    }
    options.kvCacheDtype = KvCacheDtype::F32;
    const std::uint64_t bytes = engine.info.kvCacheBytes;
    engine.setOptions(options);
    QCOMPARE(engine.info.kvCacheBytes, 2 * bytes);
    QCOMPARE(answerOf(engine).size(), before.size());
}

void EngineOptionsTest::anotherPoolEndsWhatRunsOnce()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 100));
    engine.step();
    EngineOptions options = smallEngine();
    options.scheduler.maxNumSeqs = 3;
    engine.setOptions(options);
    QCOMPARE(engine[id].finished.size(), std::size_t(1));
    QCOMPARE(engine[id].finished.front().reason, EndReason::Aborted);
    QVERIFY(poolIsWhole(engine));
    QVERIFY(!engine[id].reportedAfterEnd);
}

void EngineOptionsTest::equalOptionsChangeNothing()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 10));
    engine.step();
    const int snapshots = engine.snapshots;
    engine.setOptions(smallEngine());
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].ids.size(), std::size_t(10));
    QCOMPARE(engine.snapshots, snapshots);
}

void EngineOptionsTest::otherThreadsAbortNothing()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const std::vector<TokenId> before = answerOf(engine);
    const RequestId id = engine.submit(greedy(promptOf(40, 1), 30));
    EngineOptions options = smallEngine();
    for (const int threads : {1, 4, 2, 3}) {
        engine.step();
        options.threads = threads;
        engine.setOptions(options);
        QCOMPARE(engine.info.threads, threads);
    }
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].ids, before);
}

void EngineOptionsTest::theSamePoolSaidInAnotherWayAbortsNothing()
{
    SteppedEngine engine(largePool());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 10));
    engine.step();
    EngineOptions options = largePool();
    options.kvCacheMib = 0;
    options.scheduler.numBlocks = engine.info.numBlocks;
    engine.setOptions(options);
    QCOMPARE(engine.optionChanges, 1);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].ids.size(), std::size_t(10));
}

void EngineOptionsTest::refusedOptionsEndNothing_data()
{
    QTest::addColumn<EngineOptions>("options");
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 1;
    QTest::newRow("a null block alone") << options;
    options.scheduler.numBlocks = 2'000'000'000;
    QTest::newRow("more blocks than there is memory") << options;
    options = smallEngine();
    options.scheduler.watermark = 2;
    QTest::newRow("a share above 1") << options;
    options = smallEngine();
    options.backend = BackendChoice::Cuda;
    options.threads = 1;
    QTest::newRow("a backend that is not there") << options;
}

void EngineOptionsTest::refusedOptionsEndNothing()
{
    QFETCH(EngineOptions, options);
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 10));
    engine.step();
    engine.setOptions(options);
    QCOMPARE(engine.optionRefusals.size(), std::size_t(1));
    QCOMPARE(engine.optionChanges, 0);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].ids.size(), std::size_t(10));
    QCOMPARE(engine.info.numBlocks, 64);
    QCOMPARE(engine.info.threads, 2);
    QVERIFY(engine.loadFailures.empty());
}

void EngineOptionsTest::refusedOptionsAreRefusedWhole()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    EngineOptions refused = smallEngine();
    refused.threads = 1;
    refused.scheduler.numBlocks = 1 << 28;
    engine.setOptions(refused);
    QCOMPARE(engine.optionRefusals.size(), std::size_t(1));
    EngineOptions options = smallEngine();
    options.scheduler.maxNumSeqs = 3;
    engine.setOptions(options);
    QCOMPARE(engine.info.maxNumSeqs, 3);
    QCOMPARE(engine.info.threads, 2);
}

void EngineOptionsTest::thereAreNeverTwoPools()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    SteppedEngine engine(largePool());
    engine.load(kTinyModel);
    const std::vector<TokenId> before = answerOf(engine);
    EngineOptions options = largePool();
    options.scheduler.maxNumSeqs = 3;
    {
        const MemoryLimit half(std::size_t{16} << 20);
        engine.setOptions(options);
    }
    QVERIFY(engine.optionRefusals.empty());
    QCOMPARE(engine.info.maxNumSeqs, 3);
    QCOMPARE(answerOf(engine), before);
}

void EngineOptionsTest::aPoolThatDoesNotFitBringsTheOldOneBack()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    SteppedEngine engine(largePool());
    engine.load(kTinyModel);
    const std::vector<TokenId> before = answerOf(engine);
    const RequestId running = engine.submit(greedy(promptOf(20, 1), 100));
    engine.step();
    EngineOptions options = largePool();
    options.kvCacheMib = 96;
    {
        const MemoryLimit little(std::size_t{16} << 20);
        engine.setOptions(options);
    }
    QCOMPARE(engine.optionRefusals.size(), std::size_t(1));
    QVERIFY(engine.optionRefusals.front().line().find("no memory") != std::string::npos);
    QCOMPARE(engine[running].finished.size(), std::size_t(1));
    QCOMPARE(engine[running].finished.front().reason, EndReason::Aborted);
    QVERIFY(poolIsWhole(engine));
    QCOMPARE(answerOf(engine), before);
    engine.setOptions(options); // now there is room
    QCOMPARE(engine.optionChanges, 1);
    QCOMPARE(answerOf(engine), before);
}

void EngineOptionsTest::withNoMemoryForAnyPoolTheModelIsGivenUp()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    SteppedEngine engine(largePool());
    engine.load(kTinyModel);
    EngineOptions options = largePool();
    options.kvCacheMib = 96;
    const std::size_t pool = engine.info.kvCacheBytes;
    {
        const MemoryLimit none(-pool); // as if another program had taken the old pool's memory
        engine.setOptions(options);
    }
    QCOMPARE(engine.optionRefusals.size(), std::size_t(1));
    QCOMPARE(engine.modelsGone, 1);
    QCOMPARE(engine.snapshot->blocks.size(), std::size_t(0));
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 5));
    engine.runOut();
    QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
    engine.load(kTinyModel);
    QVERIFY(poolIsWhole(engine));
}

void EngineOptionsTest::withoutAModelOptionsWaitForOne()
{
    SteppedEngine engine(smallEngine());
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 9;
    engine.setOptions(options);
    QCOMPARE(engine.optionChanges, 0);
    engine.load(kTinyModel);
    QCOMPARE(engine.info.numBlocks, 9);
}

QTEST_GUILESS_MAIN(EngineOptionsTest)
#include "test_engine_options.moc"
