// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/host/engine_host.h"

#include "tests/support/patience.h"

#include <QSignalSpy>
#include <QTest>

using namespace vitrine;

/// The engine behind signals: order, completeness, and that the caller never waits.
class EngineHostTest : public QObject {
    Q_OBJECT
private slots:
    void anAnswerArrivesInOrderAndEndsOnce();
    void stepRecordsAreConsecutiveAndStartWithASnapshot();
    void aMissingFileIsAnError();
    void theHostCanBeDestroyedAtAnyMoment();
    void noCallWaitsForTheEngine();
};

namespace {

EngineOptions smallEngine()
{
    EngineOptions options;
    options.threads = 2;
    options.scheduler.numBlocks = 64;
    return options;
}

Request greedy(std::int32_t promptLength, std::int32_t maxTokens)
{
    Request request;
    std::vector<TokenId> ids;
    for (std::int32_t i = 0; i < promptLength; ++i)
        ids.push_back(i % 288);
    request.prompt = ids;
    request.sampling.temperature = 0;
    request.maxTokens = maxTokens;
    request.ignoreEos = true;
    return request;
}

bool loadTiny(EngineHost& host)
{
    QSignalSpy loaded(&host, &EngineHost::modelLoaded);
    host.loadModel(VITRINE_TEST_DATA "/arch/llama.gguf");
    return loaded.wait(test::kPatienceMillis);
}

} // namespace

void EngineHostTest::anAnswerArrivesInOrderAndEndsOnce()
{
    EngineHost host(smallEngine());
    QVERIFY(loadTiny(host));
    QStringList order;
    int tokens = 0;
    connect(&host, &EngineHost::requestAccepted, this, [&] { order << "accepted"; });
    connect(&host, &EngineHost::textArrived, this, [&](const std::vector<report::TextDelta>& deltas) {
        order << "text";
        tokens += static_cast<int>(deltas.size());
    });
    connect(&host, &EngineHost::requestFinished, this, [&] { order << "finished"; });
    QSignalSpy finished(&host, &EngineHost::requestFinished);
    (void)host.submit(greedy(40, 30));
    QVERIFY(finished.wait(test::kPatienceMillis));
    QTest::qWait(50);
    QCOMPARE(order.first(), QString("accepted"));
    QCOMPARE(order.last(), QString("finished"));
    QCOMPARE(order.count("finished"), 1);
    QCOMPARE(tokens, 30);
}

void EngineHostTest::stepRecordsAreConsecutiveAndStartWithASnapshot()
{
    EngineHost host(smallEngine());
    std::uint64_t last = 0;
    bool snapshotFirst = false;
    bool consecutive = true;
    connect(&host, &EngineHost::stepsRecorded, this, [&](const StepBatchPtr& batch) {
        if (batch->snapshot) {
            snapshotFirst = snapshotFirst || last == 0;
            last = batch->snapshot->step;
        }
        for (const StepRecord& record : batch->steps) {
            consecutive = consecutive && record.step == last + 1;
            last = record.step;
        }
    });
    QVERIFY(loadTiny(host));
    QSignalSpy finished(&host, &EngineHost::requestFinished);
    (void)host.submit(greedy(40, 30));
    QVERIFY(finished.wait(test::kPatienceMillis));
    QTRY_VERIFY_WITH_TIMEOUT(last >= 30, test::kPatienceMillis); // the last step is told after its token
    QVERIFY(snapshotFirst);
    QVERIFY(consecutive);
}

void EngineHostTest::aMissingFileIsAnError()
{
    EngineHost host(smallEngine());
    QSignalSpy failed(&host, &EngineHost::modelFailed);
    host.loadModel("/nowhere/model.gguf");
    QVERIFY(failed.wait(test::kPatienceMillis));
    QVERIFY(failed.first().first().value<Error>().line().find("/nowhere/model.gguf") != std::string::npos);
}

void EngineHostTest::theHostCanBeDestroyedAtAnyMoment()
{
    for (int i = 0; i < 20; ++i) {
        EngineHost host(smallEngine());
        QVERIFY(loadTiny(host));
        for (int j = 0; j < 4; ++j)
            (void)host.submit(greedy(40, 0));
        QTest::qWait(i);
    }
}

void EngineHostTest::noCallWaitsForTheEngine()
{
    EngineHost host(smallEngine());
    QVERIFY(loadTiny(host));
    host.setStepDelay(
        3'600'000); // a call that waited for the next step would wait for an hour: ctest would end it
    const RequestId id = host.submit(greedy(100, 50));
    host.pause();
    host.singleStep();
    host.resume();
    host.cancel(id);
    host.loadModel(VITRINE_TEST_DATA "/arch/llama.gguf");
    host.cancelLoad();
}

QTEST_GUILESS_MAIN(EngineHostTest)
#include "test_engine_host.moc"
