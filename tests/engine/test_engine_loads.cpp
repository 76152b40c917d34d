// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_requests.h"
#include "tests/support/stepped_engine.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

/// Models come and go; requests know of it.
class EngineLoadsTest : public QObject {
    Q_OBJECT
private slots:
    void withoutAModelARequestIsRefused();
    void aFailedLoadKeepsTheModel();
    void aCancelledLoadKeepsTheModel();
    void anotherModelEndsRunningRequests();
    void aFileThatIsShortenedAfterTheLoadIsNotMissed();
    void optionsThatMakeNoSenseAreRefused();
};

void EngineLoadsTest::withoutAModelARequestIsRefused()
{
    SteppedEngine engine(smallEngine());
    const RequestId id = engine.submit(greedy(promptOf(5, 1), 5));
    QVERIFY(!engine.step());
    QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
}

void EngineLoadsTest::aFailedLoadKeepsTheModel()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    engine.load("/nowhere/model.gguf");
    engine.load(VITRINE_TEST_DATA "/arch/llama.json");
    QCOMPARE(engine.loadFailures.size(), std::size_t(2));
    QVERIFY(engine.loadFailures.front().error.line().find("/nowhere/model.gguf") != std::string::npos);
    QVERIFY(poolIsWhole(engine));
}

void EngineLoadsTest::aCancelledLoadKeepsTheModel()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    engine.load(kTinyModel, std::make_shared<std::atomic<bool>>(true));
    QCOMPARE(engine.loadFailures.size(), std::size_t(1));
    QVERIFY(engine.loadFailures.front().cancelled);
    QVERIFY(poolIsWhole(engine));
}

void EngineLoadsTest::anotherModelEndsRunningRequests()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 100));
    engine.step();
    engine.load(VITRINE_TEST_DATA "/arch/llama3.gguf");
    QCOMPARE(engine[id].finished.size(), std::size_t(1));
    QCOMPARE(engine[id].finished.front().reason, EndReason::Aborted);
    QVERIFY(poolIsWhole(engine));
    QVERIFY(!engine[id].reportedAfterEnd);
}

void EngineLoadsTest::optionsThatMakeNoSenseAreRefused()
{
    for (const auto& spoil :
         {+[](SchedulerOptions& o) { o.blockSize = 0; }, +[](SchedulerOptions& o) { o.watermark = 1.0; },
          +[](SchedulerOptions& o) { o.maxNumSeqs = 0; },
          +[](SchedulerOptions& o) { o.maxNumBatchedTokens = -1; },
          +[](SchedulerOptions& o) { o.maxNumBatchedTokens = 2'000'000'000; }}) {
        EngineOptions options = smallEngine();
        spoil(options.scheduler);
        SteppedEngine engine(options);
        engine.load(kTinyModel);
        QCOMPARE(engine.loadFailures.size(), std::size_t(1));
    }
}

/// Reading a shortened file through a map raises SIGBUS: once a model is loaded nothing reads its file.
void EngineLoadsTest::aFileThatIsShortenedAfterTheLoadIsNotMissed()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("model.gguf"));
    QVERIFY(QFile::copy(QString::fromStdString(kTinyModel), file.fileName()));
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    SteppedEngine engine(smallEngine());
    engine.load(file.fileName().toStdString());
    const RequestId before = engine.submit(greedy(promptOf(20, 1), 10));
    QVERIFY(engine.runOut());
    QVERIFY(file.resize(0));
    Request text;
    text.prompt = std::vector<ChatMessage>{{"user", "hello"}}; // tokenizer and template too
    text.maxTokens = 5;
    const RequestId chat = engine.submit(text);
    const RequestId after = engine.submit(greedy(promptOf(20, 1), 10));
    QVERIFY(engine.runOut());
    QCOMPARE(engine[after].ids, engine[before].ids);
    QVERIFY(engine[chat].finished.front().reason != EndReason::Error);
}

QTEST_GUILESS_MAIN(EngineLoadsTest)
#include "test_engine_loads.moc"
