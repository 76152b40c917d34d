// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/loaded_model.h"
#include "engine/model/memory_plan.h"
#include "tests/support/failing_backend.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

Q_DECLARE_METATYPE(vitrine::BackendChoice)
Q_DECLARE_METATYPE(vitrine::OpenCardFn)

/// What is said before a model is loaded comes true.
class MemoryPlanTest : public QObject {
    Q_OBJECT
private slots:
    void loadingDoesAsPlanned_data();
    void loadingDoesAsPlanned();
    void theCardIsNotAskedForTheProcessor();
};

namespace {

const std::string kTinyModel = VITRINE_TEST_DATA "/arch/llama.gguf";

ModelSurvey surveyOfTinyModel()
{
    return surveyModel(GgufFile::open(kTinyModel).value());
}

EngineOptions optionsFor(BackendChoice backend)
{
    EngineOptions options;
    options.backend = backend;
    options.threads = 1;
    options.kvCacheMib = 2;
    return options;
}

OpenCardFn cardOf(std::int64_t bytes)
{
    auto plan = std::make_shared<CardPlan>();
    plan->memoryBytes = bytes;
    return offerCard(plan);
}

Result<LoadedModel> load(const EngineOptions& options, const OpenCardFn& openTheCard)
{
    return loadModel(
        kTinyModel, options, [](double, LoadStage) { return true; }, openTheCard);
}

} // namespace

void MemoryPlanTest::loadingDoesAsPlanned_data()
{
    QTest::addColumn<BackendChoice>("choice");
    QTest::addColumn<OpenCardFn>("openTheCard");
    QTest::addColumn<bool>("fits");
    QTest::addColumn<bool>("onCard");
    const OpenCardFn good = cardOf(std::int64_t{1} << 30);
    const OpenCardFn small = cardOf(100'000);
    const OpenCardFn none = offerNone({CardProblem::NoDriver, "none is installed"});
    using enum BackendChoice;
    QTest::newRow("processor, card") << Cpu << good << true << false;
    QTest::newRow("processor, none") << Cpu << none << true << false;
    QTest::newRow("open, card") << Auto << good << true << true;
    QTest::newRow("open, small card") << Auto << small << true << false;
    QTest::newRow("open, none") << Auto << none << true << false;
    QTest::newRow("card, card") << Cuda << good << true << true;
    QTest::newRow("card, small card") << Cuda << small << false << false;
    QTest::newRow("card, none") << Cuda << none << false << false;
}

void MemoryPlanTest::loadingDoesAsPlanned()
{
    QFETCH(BackendChoice, choice);
    QFETCH(OpenCardFn, openTheCard);
    QFETCH(bool, fits);
    QFETCH(bool, onCard);
    const ModelSurvey survey = surveyOfTinyModel();
    const EngineOptions options = optionsFor(choice);
    const MemoryPlan plan =
        planMemory(*survey.spec, survey, options, [&] { return roomOnCard(openTheCard); });
    const Result<LoadedModel> loaded = load(options, openTheCard);
    QCOMPARE(plan.estimate.has_value(), fits);
    QCOMPARE(loaded.has_value(), fits);
    QCOMPARE(plan.lacksCard, choice == BackendChoice::Cuda && !roomOnCard(openTheCard));
    if (!fits) {
        QCOMPARE(loaded.error().line(), plan.estimate.error().line());
        return;
    }
    QCOMPARE(plan.estimate->room.onCard, onCard);
    QCOMPARE(loaded->info.cardBytes > 0, onCard);
    QVERIFY(loaded->info.backendNote == plan.note);
    QCOMPARE(loaded->scheduler.numBlocks, plan.estimate->scheduler.numBlocks);
    QCOMPARE(loaded->scheduler.maxModelLen, plan.estimate->scheduler.maxModelLen);
}

void MemoryPlanTest::theCardIsNotAskedForTheProcessor()
{
    const ModelSurvey survey = surveyOfTinyModel();
    bool isAsked = false;
    const auto ask = [&] {
        isAsked = true;
        return CardRoom(MemoryRoom{1 << 30, 0, true});
    };
    QVERIFY(planMemory(*survey.spec, survey, optionsFor(BackendChoice::Cpu), ask).estimate);
    QVERIFY(!isAsked);
    QVERIFY(planMemory(*survey.spec, survey, optionsFor(BackendChoice::Auto), ask).estimate);
    QVERIFY(isAsked);
}

QTEST_GUILESS_MAIN(MemoryPlanTest)
#include "test_memory_plan.moc"
