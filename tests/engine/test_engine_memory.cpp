// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_requests.h"
#include "tests/support/memory_limit.h"
#include "tests/support/sanitized.h"
#include "tests/support/stepped_engine.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

/// Where memory runs out, requests end and the engine goes on.
class EngineMemoryTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void whenMemoryRunsOutInAStepRequestsEndAndTheEngineGoesOn();
    void aPromptThatMemoryCannotHoldIsRefusedAlone();
    void answersThatMemoryCannotHoldAreRefusedAllAndAlone();
    void aLoadThatMemoryCannotHoldFailsAlone();
};

void EngineMemoryTest::init()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
}

void EngineMemoryTest::whenMemoryRunsOutInAStepRequestsEndAndTheEngineGoesOn()
{
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 400;
    options.scheduler.maxNumBatchedTokens = 8192;
    SteppedEngine engine(options);
    engine.load(kTinyModel);
    const RequestId small = engine.submit(greedy(promptOf(4, 1), 2));
    QVERIFY(engine.runOut());
    std::vector<RequestId> large;
    for (int i = 0; i < 10; ++i) // one step of 5,000 rows: more room for activations than the heap has
        large.push_back(engine.submit(greedy(promptOf(500, i), 5)));
    {
        const MemoryLimit none(0);
        engine.step();
    }
    QVERIFY(engine.runOut());
    QCOMPARE(engine[small].finished.front().reason, EndReason::Length);
    for (const RequestId id : large) {
        QCOMPARE(engine[id].finished.size(), std::size_t(1));
        QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
    }
    QVERIFY(poolIsWhole(engine));
}

void EngineMemoryTest::aPromptThatMemoryCannotHoldIsRefusedAlone()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId running = engine.submit(greedy(promptOf(8, 1), 5));
    engine.step();
    Request request;
    request.prompt = std::string(std::size_t{64} << 20, 'a');
    const RequestId huge = engine.submit(std::move(request));
    {
        const MemoryLimit none(0);
        engine.step();
    }
    QVERIFY(engine.runOut());
    QCOMPARE(engine[huge].finished.size(), std::size_t(1));
    QCOMPARE(engine[huge].finished.front().reason, EndReason::Error);
    QCOMPARE(engine[running].ids.size(), std::size_t(5));
}

void EngineMemoryTest::answersThatMemoryCannotHoldAreRefusedAllAndAlone()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const std::vector<RequestId> answers = engine.submitAnswers(greedy(promptOf(400, 1), 5), 50'000);
    const RequestId next =
        engine.submit(greedy(promptOf(8, 2), 5)); // taken from the queue together with them
    {
        const MemoryLimit none(0);
        engine.step();
    }
    QVERIFY(engine.runOut());
    for (RequestId id : answers) {
        QCOMPARE(engine[id].finished.size(), std::size_t(1));
        QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
    }
    QCOMPARE(engine[next].ids.size(), std::size_t(5));
    QVERIFY(poolIsWhole(engine));
}

void EngineMemoryTest::aLoadThatMemoryCannotHoldFailsAlone()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId running = engine.submit(greedy(promptOf(8, 1), 5));
    engine.step();
    {
        const MemoryLimit none(0);
        engine.load(kTinyModel);
    }
    QCOMPARE(engine.loadFailures.size(), std::size_t(1));
    QVERIFY(!engine.loadFailures.front().cancelled);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[running].ids.size(), std::size_t(5));
}

QTEST_GUILESS_MAIN(EngineMemoryTest)
#include "test_engine_memory.moc"
