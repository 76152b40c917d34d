// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sanitized.h"
#include "tests/support/stepped_engine.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

using namespace vitrine;
using namespace vitrine::test;

/// The whole step loop on a tiny model: what requests get back, however they are mixed, cancelled or refused.
class EngineTest : public QObject {
    Q_OBJECT
private slots:
    void answersDoNotDependOnCompanyChunksBlocksOrPreemption_data();
    void answersDoNotDependOnCompanyChunksBlocksOrPreemption();
    void aCancelledRequestEndsOnceAndGivesItsBlocksBack_data();
    void aCancelledRequestEndsOnceAndGivesItsBlocksBack();
    void cancellingTwiceOrAnUnknownRequestDoesNothing();
    void aRequestThatCannotFitIsRefusedWithNumbers();
    void aPromptThatFillsTheContextIsRefused();
    void anUnlimitedAnswerEndsWithTheContextAndSaysSo();
    void withoutAModelARequestIsRefused();
    void aFailedLoadKeepsTheModel();
    void aCancelledLoadKeepsTheModel();
    void anotherModelEndsRunningRequests();
    void newOptionsBuildThePoolAnew();
    void pausedNothingRunsAndSingleStepsRunOneEach();
    void singleStepsWithNothingToDoAreNotSaved();
    void senselessSamplingIsRefused();
    void optionsThatMakeNoSenseAreRefused();
    void aModelThatComputesNoNumbersSaysSo();
    void whenMemoryRunsOutInAStepRequestsEndAndTheEngineGoesOn();
    void aPromptThatMemoryCannotHoldIsRefusedAlone();
    void stopStringsNeverShowAndEndTheAnswer();
    void theSameSeedGivesTheSameAnswer();
    void everyTokenIsReportedBeforeTheEnd();
};

namespace {

const std::string kModel = VITRINE_TEST_DATA "/arch/llama.gguf";

EngineOptions smallEngine()
{
    EngineOptions options;
    options.threads = 2;
    options.scheduler.numBlocks = 64;
    options.scheduler.blockSize = 16;
    return options;
}

std::vector<TokenId> promptOf(int length, int salt)
{
    std::vector<TokenId> ids;
    for (int i = 0; i < length; ++i)
        ids.push_back((i * 7 + salt * 13 + 3) % 288);
    return ids;
}

Request greedy(std::vector<TokenId> ids, std::int32_t maxTokens)
{
    Request request;
    request.prompt = std::move(ids);
    request.sampling.temperature = 0;
    request.maxTokens = maxTokens;
    request.ignoreEos = true;
    return request;
}

std::vector<std::vector<TokenId>> answersTo(const std::vector<Request>& requests, const EngineOptions& options,
                                            bool together)
{
    SteppedEngine engine(options);
    engine.load(kModel);
    std::vector<RequestId> ids;
    for (const Request& request : requests) {
        ids.push_back(engine.submit(request));
        if (!together)
            engine.runOut();
    }
    engine.runOut();
    std::vector<std::vector<TokenId>> answers;
    for (RequestId id : ids)
        answers.push_back(engine[id].ids);
    return answers;
}

/// While it lives, the system gives this process no memory that it does not have yet.
class NoMoreMemory {
public:
    NoMoreMemory()
    {
        getrlimit(RLIMIT_AS, &m_before);
        const rlimit none{4096, m_before.rlim_max};
        setrlimit(RLIMIT_AS, &none);
    }
    ~NoMoreMemory() { setrlimit(RLIMIT_AS, &m_before); }
    NoMoreMemory(const NoMoreMemory&) = delete;
    NoMoreMemory& operator=(const NoMoreMemory&) = delete;

private:
    rlimit m_before{};
};

/// Every block is free again: a request that needs the whole pool is served.
bool poolIsWhole(SteppedEngine& engine)
{
    const ModelInfo& info = engine.loaded.back();
    const std::int32_t length = std::min(info.contextLength, (info.numBlocks - 1) * info.blockSize);
    const RequestId id = engine.submit(greedy(promptOf(length - 1, 99), 1));
    return engine.runOut() && engine[id].ended() && engine[id].finished.front().reason == FinishReason::Length;
}

} // namespace

void EngineTest::answersDoNotDependOnCompanyChunksBlocksOrPreemption_data()
{
    QTest::addColumn<int>("blockSize");
    QTest::addColumn<int>("numBlocks");
    QTest::addColumn<int>("budget");
    QTest::addColumn<bool>("prefixCaching");
    for (const int blockSize : {8, 16, 32})
        for (const int budget : {1, 15, 16, 17, 512})
            for (const bool caching : {false, true}) {
                const auto name = QString("blocks of %1, %2 tokens a step, prefix caching %3").arg(blockSize).arg(budget).arg(caching);
                QTest::newRow(qPrintable(name)) << blockSize << 1024 / blockSize + 1 << budget << caching;
            }
    QTest::newRow("a pool a third of what is needed: preemptions") << 16 << 15 << 64 << false;
    QTest::newRow("a pool a third of what is needed, prefix caching") << 16 << 15 << 64 << true;
}

void EngineTest::answersDoNotDependOnCompanyChunksBlocksOrPreemption()
{
    std::vector<Request> requests;
    for (int i = 0; i < 8; ++i)
        requests.push_back(greedy(promptOf(5 + 9 * i, i / 2), 24)); // pairs share a prefix
    static const auto alone = answersTo(requests, smallEngine(), false);

    QFETCH(int, blockSize);
    QFETCH(int, numBlocks);
    QFETCH(int, budget);
    QFETCH(bool, prefixCaching);
    EngineOptions options = smallEngine();
    options.scheduler.blockSize = blockSize;
    options.scheduler.numBlocks = numBlocks;
    options.scheduler.maxNumBatchedTokens = budget;
    options.scheduler.enablePrefixCaching = prefixCaching;
    QCOMPARE(answersTo(requests, options, true), alone);
}

void EngineTest::aCancelledRequestEndsOnceAndGivesItsBlocksBack_data()
{
    QTest::addColumn<int>("steps");
    for (int steps = 0; steps < 14; ++steps)
        QTest::newRow(qPrintable(QString("after %1 steps").arg(steps))) << steps;
}

void EngineTest::aCancelledRequestEndsOnceAndGivesItsBlocksBack()
{
    QFETCH(int, steps);
    EngineOptions options = smallEngine();
    options.scheduler.maxNumBatchedTokens = 16; // the prompt takes several chunks
    SteppedEngine engine(options);
    engine.load(kModel);
    const RequestId kept = engine.submit(greedy(promptOf(20, 1), 12));
    const RequestId cancelled = engine.submit(greedy(promptOf(70, 2), 200));
    for (int i = 0; i < steps; ++i)
        engine.step();
    engine.cancel(cancelled);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[cancelled].finished.size(), std::size_t(1));
    QCOMPARE(engine[cancelled].finished.front().reason, FinishReason::Aborted);
    QVERIFY(!engine[cancelled].reportedAfterEnd);
    QCOMPARE(engine[kept].ids.size(), std::size_t(12));
    QVERIFY(poolIsWhole(engine));
}

void EngineTest::cancellingTwiceOrAnUnknownRequestDoesNothing()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 50));
    engine.step();
    engine.cancel(id);
    engine.cancel(id);
    engine.cancel(RequestId{777});
    QVERIFY(engine.runOut());
    engine.cancel(id);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].finished.size(), std::size_t(1));
}

void EngineTest::aRequestThatCannotFitIsRefusedWithNumbers()
{
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 5; // 64 slots
    SteppedEngine engine(options);
    engine.load(kModel);
    const RequestId id = engine.submit(greedy(promptOf(60, 1), 30));
    engine.runOut();
    QCOMPARE(engine[id].finished.size(), std::size_t(1));
    QCOMPARE(engine[id].finished.front().reason, FinishReason::Error);
    QVERIFY(engine[id].finished.front().error->line().find("64") != std::string::npos
            || engine[id].finished.front().error->line().find("4") != std::string::npos);
    QVERIFY(poolIsWhole(engine));
}

void EngineTest::aPromptThatFillsTheContextIsRefused()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel); // a context of 512
    const RequestId tooLong = engine.submit(greedy(promptOf(513, 1), 0));
    const RequestId fits = engine.submit(greedy(promptOf(511, 1), 0));
    engine.runOut();
    QCOMPARE(engine[tooLong].finished.front().reason, FinishReason::Error);
    QVERIFY(engine[tooLong].finished.front().error->line().find("512") != std::string::npos);
    QCOMPARE(engine[tooLong].finished.front().stats.promptTokens, 513);
    QCOMPARE(engine[fits].finished.front().reason, FinishReason::Length);
}

void EngineTest::anUnlimitedAnswerEndsWithTheContextAndSaysSo()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    const RequestId id = engine.submit(greedy(promptOf(500, 1), 0));
    engine.runOut();
    QCOMPARE(engine[id].finished.front().reason, FinishReason::Length);
    QVERIFY(engine[id].finished.front().error.has_value());
    QCOMPARE(engine[id].ids.size(), std::size_t(12));
}

void EngineTest::withoutAModelARequestIsRefused()
{
    SteppedEngine engine(smallEngine());
    const RequestId id = engine.submit(greedy(promptOf(5, 1), 5));
    QVERIFY(!engine.step());
    QCOMPARE(engine[id].finished.front().reason, FinishReason::Error);
}

void EngineTest::aFailedLoadKeepsTheModel()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    engine.load("/nowhere/model.gguf");
    engine.load(VITRINE_TEST_DATA "/arch/llama.json");
    QCOMPARE(engine.loadFailures.size(), std::size_t(2));
    QVERIFY(engine.loadFailures.front().error.line().find("/nowhere/model.gguf") != std::string::npos);
    QVERIFY(poolIsWhole(engine));
}

void EngineTest::aCancelledLoadKeepsTheModel()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    engine.load(kModel, std::make_shared<std::atomic<bool>>(true));
    QCOMPARE(engine.loadFailures.size(), std::size_t(1));
    QVERIFY(engine.loadFailures.front().cancelled);
    QVERIFY(poolIsWhole(engine));
}

void EngineTest::anotherModelEndsRunningRequests()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 100));
    engine.step();
    engine.load(VITRINE_TEST_DATA "/arch/llama3.gguf");
    QCOMPARE(engine[id].finished.size(), std::size_t(1));
    QCOMPARE(engine[id].finished.front().reason, FinishReason::Aborted);
    QVERIFY(poolIsWhole(engine));
    QVERIFY(!engine[id].reportedAfterEnd);
}

void EngineTest::newOptionsBuildThePoolAnew()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 9;
    engine.push(command::SetOptions{options});
    engine.runOut();
    QCOMPARE(engine.loaded.back().numBlocks, 9);
    options.scheduler.numBlocks = 1;
    engine.push(command::SetOptions{options});
    engine.runOut();
    QCOMPARE(engine.loadFailures.size(), std::size_t(1));
    QVERIFY(poolIsWhole(engine));
}

void EngineTest::pausedNothingRunsAndSingleStepsRunOneEach()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
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

void EngineTest::singleStepsWithNothingToDoAreNotSaved()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    engine.push(command::SingleStep{}); // not paused
    engine.push(command::Pause{});
    engine.push(command::SingleStep{}); // nothing to do
    QVERIFY(!engine.step());
    const RequestId id = engine.submit(greedy(promptOf(8, 1), 10));
    QVERIFY(!engine.step());
    QVERIFY(engine[id].ids.empty());
}

void EngineTest::senselessSamplingIsRefused()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    Request request = greedy(promptOf(8, 1), 10);
    request.sampling.topP = 0;
    const RequestId id = engine.submit(request);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].finished.front().reason, FinishReason::Error);
    QVERIFY(engine[id].finished.front().error->line().find("top_p") != std::string::npos);
}

void EngineTest::optionsThatMakeNoSenseAreRefused()
{
    for (const auto& spoil : {+[](SchedulerOptions& o) { o.blockSize = 0; }, +[](SchedulerOptions& o) { o.watermark = 1.0; },
                              +[](SchedulerOptions& o) { o.maxNumSeqs = 0; },
                              +[](SchedulerOptions& o) { o.maxNumBatchedTokens = -1; },
                              +[](SchedulerOptions& o) { o.maxNumBatchedTokens = 2'000'000'000; }}) {
        EngineOptions options = smallEngine();
        spoil(options.scheduler);
        SteppedEngine engine(options);
        engine.load(kModel);
        QCOMPARE(engine.loadFailures.size(), std::size_t(1));
    }
}

void EngineTest::aModelThatComputesNoNumbersSaysSo()
{
    QTemporaryDir folder;
    QFile good(QString::fromStdString(kModel));
    QVERIFY(good.open(QIODevice::ReadOnly));
    QByteArray bytes = good.readAll();
    bytes.replace(bytes.size() - 200000, 200000, QByteArray(200000, '\xff')); // NaN in F32
    QFile broken(folder.filePath("nan.gguf"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(bytes);
    broken.close();
    SteppedEngine engine(smallEngine());
    engine.load(broken.fileName().toStdString());
    QCOMPARE(engine.loaded.size(), std::size_t(1));
    const RequestId id = engine.submit(greedy(promptOf(8, 1), 10));
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].finished.front().reason, FinishReason::Error);
    QVERIFY(engine[id].finished.front().error->line().find("finite") != std::string::npos);
    QVERIFY(engine[id].ids.empty());
}

void EngineTest::whenMemoryRunsOutInAStepRequestsEndAndTheEngineGoesOn()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 400;
    options.scheduler.maxNumBatchedTokens = 8192;
    SteppedEngine engine(options);
    engine.load(kModel);
    const RequestId small = engine.submit(greedy(promptOf(4, 1), 2));
    QVERIFY(engine.runOut());
    std::vector<RequestId> large;
    for (int i = 0; i < 10; ++i) // one step of 5,000 rows: more room for activations than the heap has
        large.push_back(engine.submit(greedy(promptOf(500, i), 5)));
    {
        const NoMoreMemory limit;
        engine.step();
    }
    QVERIFY(engine.runOut());
    QCOMPARE(engine[small].finished.front().reason, FinishReason::Length);
    for (const RequestId id : large) {
        QCOMPARE(engine[id].finished.size(), std::size_t(1));
        QCOMPARE(engine[id].finished.front().reason, FinishReason::Error);
    }
    QVERIFY(poolIsWhole(engine));
}

void EngineTest::aPromptThatMemoryCannotHoldIsRefusedAlone()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    const RequestId running = engine.submit(greedy(promptOf(8, 1), 5));
    engine.step();
    Request request;
    request.prompt = std::string(std::size_t{64} << 20, 'a');
    const RequestId huge = engine.submit(std::move(request));
    {
        const NoMoreMemory limit;
        engine.step();
    }
    QVERIFY(engine.runOut());
    QCOMPARE(engine[huge].finished.size(), std::size_t(1));
    QCOMPARE(engine[huge].finished.front().reason, FinishReason::Error);
    QCOMPARE(engine[running].ids.size(), std::size_t(5));
}

void EngineTest::stopStringsNeverShowAndEndTheAnswer()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    const RequestId whole = engine.submit(greedy(promptOf(8, 1), 40));
    engine.runOut();
    const std::string text = engine[whole].text;
    QVERIFY(text.size() > 8);
    Request request = greedy(promptOf(8, 1), 40);
    request.stop = {text.substr(4, 3)};
    const RequestId stopped = engine.submit(request);
    engine.runOut();
    QCOMPARE(engine[stopped].text, text.substr(0, text.find(request.stop.front())));
    QCOMPARE(engine[stopped].finished.front().reason, FinishReason::Stop);
}

void EngineTest::theSameSeedGivesTheSameAnswer()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    Request request = greedy(promptOf(8, 1), 40);
    request.sampling = {.temperature = 1.0f, .topP = 1.0f, .minP = 0.0f, .seed = 42};
    const RequestId first = engine.submit(request);
    const RequestId second = engine.submit(request);
    request.sampling.seed = 43;
    const RequestId other = engine.submit(request);
    engine.runOut();
    QCOMPARE(engine[first].ids, engine[second].ids);
    QVERIFY(engine[first].ids != engine[other].ids);
}

void EngineTest::everyTokenIsReportedBeforeTheEnd()
{
    SteppedEngine engine(smallEngine());
    engine.load(kModel);
    std::vector<RequestId> ids;
    for (int i = 0; i < 6; ++i)
        ids.push_back(engine.submit(greedy(promptOf(30, i), 7 + i)));
    QVERIFY(engine.runOut());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        QCOMPARE(engine[ids[i]].acceptedCount, 1);
        QCOMPARE(engine[ids[i]].ids.size(), 7 + i);
        QCOMPARE(engine[ids[i]].finished.size(), std::size_t(1));
        QCOMPARE(engine[ids[i]].finished.front().stats.generatedTokens, static_cast<std::int32_t>(7 + i));
        QVERIFY(!engine[ids[i]].reportedAfterEnd);
    }
}

QTEST_GUILESS_MAIN(EngineTest)
#include "test_engine.moc"
