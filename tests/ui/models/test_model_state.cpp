// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/failing_backend.h"
#include "tests/support/patience.h"
#include "ui/models/backend_words.h"
#include "ui/models/model_state.h"

#include <QSignalSpy>
#include <QTest>

using namespace vitrine;
using namespace vitrine::ui;

/// Which model is there and which is loading, whatever order the engine's reports come in.
class ModelStateTest : public QObject {
    Q_OBJECT
private slots:
    void aLateFailureOfAnEarlierLoadDoesNotDisturbTheNewerOne();
    void anEarlierLoadThatCameToItsEndIsShownUntilTheNewerOneIsThere();
    void otherOptionsDoNotEndALoad();
    void aLoadThatIsCancelledAndReplacedEndsInTheNewerModel();
    void aFailureOfTheLoadItselfIsToldOnce();
    void theModelThatIsThereKeepsItsNameWhileAnotherLoads();
    void aCardThatIsLostIsToldOnce();
    void everyReasonHasWords();
};

namespace {

const QString kTinyModel = VITRINE_TEST_DATA "/arch/llama.gguf";
const QString kOtherModel = VITRINE_TEST_DATA "/arch/llama3.gguf";

EngineOptions smallEngine()
{
    EngineOptions options;
    options.threads = 1;
    options.scheduler.numBlocks = 64;
    return options;
}

ModelInfo infoOf(const QString& path, std::int32_t numBlocks)
{
    ModelInfo info;
    info.path = path.toStdString();
    info.numBlocks = numBlocks;
    return info;
}

/// Two loads were asked for, 1 and then 2. The engine's own reports wait in its outbox: no event loop runs,
/// and the test says what comes.
struct TwoLoads {
    EngineHost host{smallEngine()};
    ModelState state{host};
    QSignalSpy loaded{&state, &ModelState::loaded};
    QSignalSpy failed{&state, &ModelState::failed};
    QSignalSpy refused{&state, &ModelState::optionsRefused};

    TwoLoads()
    {
        state.load(kTinyModel);
        state.cancel();
        state.load(kOtherModel);
    }
};

} // namespace

void ModelStateTest::aLateFailureOfAnEarlierLoadDoesNotDisturbTheNewerOne()
{
    TwoLoads two;
    emit two.host.modelFailed(Error{"cancelled", {}, {}}, true, LoadId{1});
    QVERIFY(two.state.isLoading());
    QCOMPARE(two.state.loadingPath(), kOtherModel);
    emit two.host.loadProgressed(0.7, LoadStage::ReadingFile, LoadId{1});
    QCOMPARE(two.state.progress(), 0.0);
    emit two.host.loadProgressed(0.3, LoadStage::PreparingWeights, LoadId{2});
    QCOMPARE(two.state.progress(), 0.3);
    emit two.host.modelFailed(Error{"not a GGUF file", {}, {}}, false, LoadId{1});
    QVERIFY(two.state.isLoading());
    QCOMPARE(two.failed.count(), 0);
    emit two.host.modelLoaded(infoOf(kOtherModel, 64), LoadId{2});
    QVERIFY(!two.state.isLoading());
    QCOMPARE(two.state.name(), QString("llama3"));
    QCOMPARE(two.loaded.count(), 1);
}

void ModelStateTest::anEarlierLoadThatCameToItsEndIsShownUntilTheNewerOneIsThere()
{
    TwoLoads two;
    emit two.host.modelLoaded(infoOf(kTinyModel, 64), LoadId{1});
    QVERIFY(two.state.isLoaded());
    QVERIFY(two.state.isLoading());
    QCOMPARE(two.state.info().path, kTinyModel.toStdString());
    QCOMPARE(two.loaded.count(), 0);
    emit two.host.modelFailed(Error{"not a GGUF file", {}, {}}, false, LoadId{2});
    QVERIFY(!two.state.isLoading());
    QCOMPARE(two.state.info().path, kTinyModel.toStdString());
    QCOMPARE(two.failed.count(), 1);
}

void ModelStateTest::otherOptionsDoNotEndALoad()
{
    TwoLoads two;
    emit two.host.optionsChanged(infoOf(kTinyModel, 9), EngineOptions{});
    QVERIFY(two.state.isLoading());
    QCOMPARE(two.state.info().numBlocks, 9);
    emit two.host.optionsRefused(Error{"too large", {}, {}}, EngineOptions{});
    QVERIFY(two.state.isLoading());
    QCOMPARE(two.refused.count(), 1);
    QCOMPARE(two.failed.count(), 0);
    QCOMPARE(two.loaded.count(), 0);
}

void ModelStateTest::aLoadThatIsCancelledAndReplacedEndsInTheNewerModel()
{
    TwoLoads two;
    QVERIFY(QTest::qWaitFor([&] { return !two.state.isLoading(); }, test::kPatienceMillis));
    QCOMPARE(two.state.info().path, kOtherModel.toStdString());
    QCOMPARE(two.failed.count(), 0);
    QCOMPARE(two.loaded.count(), 1);

    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 9;
    two.host.setOptions(options);
    QVERIFY(QTest::qWaitFor([&] { return two.state.info().numBlocks == 9; }, test::kPatienceMillis));
    QVERIFY(!two.state.isLoading());
    QCOMPARE(two.loaded.count(), 1);
}

void ModelStateTest::aFailureOfTheLoadItselfIsToldOnce()
{
    EngineHost host(smallEngine());
    ModelState state(host);
    QSignalSpy failed(&state, &ModelState::failed);
    state.load("/nowhere/model.gguf");
    QVERIFY(QTest::qWaitFor([&] { return !state.isLoading(); }, test::kPatienceMillis));
    QCOMPARE(failed.count(), 1);
    QVERIFY(!state.isLoaded());
}

void ModelStateTest::theModelThatIsThereKeepsItsNameWhileAnotherLoads()
{
    TwoLoads two;
    QCOMPARE(two.state.loadedName(), QString());
    emit two.host.modelLoaded(infoOf(kTinyModel, 64), LoadId{1});
    QVERIFY(two.state.isLoading());
    QCOMPARE(two.state.name(), QString("llama3"));
    QCOMPARE(two.state.loadedName(), QString("llama"));
}

/// Reports of the takeover come as the card fails and when the processor is ready.
void ModelStateTest::aCardThatIsLostIsToldOnce()
{
    const auto plan = std::make_shared<test::CardPlan>();
    plan->logitsToFailure = 3;
    EngineHost host(smallEngine(), nullptr, test::offerCard(plan));
    ModelState state(host);
    QSignalSpy loaded(&state, &ModelState::loaded);
    QSignalSpy lost(&state, &ModelState::cardLost);
    QSignalSpy finished(&host, &EngineHost::requestFinished);
    state.load(kTinyModel);
    QVERIFY(loaded.wait(test::kPatienceMillis));
    QVERIFY(state.info().backend.starts_with("CUDA") && !state.info().backendNote);
    Request request;
    request.prompt = std::vector<TokenId>{1, 2, 3};
    request.maxTokens = 8;
    request.ignoreEos = true;
    (void)host.submit(std::move(request));
    QVERIFY(finished.wait(test::kPatienceMillis));
    QCOMPARE(finished.front().front().value<report::Finished>().reason, EndReason::Length);
    QCOMPARE(lost.count(), 1);
    QCOMPARE(lost.front().front().value<Error>().what, std::string("test card: the device is lost"));
    QTRY_VERIFY_WITH_TIMEOUT(state.info().backend.starts_with("CPU"), test::kPatienceMillis);
    QCOMPARE(describe(*state.info().backendNote),
             QString("The graphics card has failed.\ntest card: the device is lost"));
}

void ModelStateTest::everyReasonHasWords()
{
    for (int i = 0; i <= int(CardProblem::Failed); ++i) {
        QVERIFY(!shortWords(CardProblem(i)).isEmpty());
        QVERIFY(!describe(BackendNote{CardProblem(i), {}}).isEmpty());
        QVERIFY(!textOf({CardProblem(i), {}}).empty());
    }
}

QTEST_GUILESS_MAIN(ModelStateTest)
#include "test_model_state.moc"
