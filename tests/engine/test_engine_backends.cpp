// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/card_chats.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

Q_DECLARE_METATYPE(BackendNote)

/// Which backend computes, and why it is not the other one.
class EngineBackendsTest : public QObject {
    Q_OBJECT
private slots:
    void autoTakesTheCardWhereThereIsOne();
    void autoFallsBackAndSaysWhy_data();
    void autoFallsBackAndSaysWhy();
    void cudaIsRefusedWithAdvice_data() { autoFallsBackAndSaysWhy_data(); }
    void cudaIsRefusedWithAdvice();
    void aCardThatIsTooSmallIsNamedWithNumbers();
    void aCardThatFailsWhileLoadingIsLeftToTheProcessor();
    void aCancelledLoadIsNotTriedOnTheProcessor();
    void cpuDoesNotLookForACard();
    void aPoolOnTheCardTakesMostOfItsMemory();
    void aChatMovesWithTheOptions();
    void theGreatestLogitsOfAStepAreAskedForAtOnce();
    void oneModelAtATimeIsOnTheCard();
    void aCancelledLoadBringsTheModelBackToTheCard();
    void aModelWhoseFileIsGoneCannotComeBack();
};

void EngineBackendsTest::autoTakesTheCardWhereThereIsOne()
{
    SteppedEngine engine(optionsFor(BackendChoice::Auto), offerCard(goodCard()));
    engine.load(kTinyModel);
    QCOMPARE(engine.info.backend, std::string("CUDA, test card"));
    QVERIFY(!engine.info.backendNote);
    QCOMPARE(run(engine, 3), answersOfCpu(3));
}

void EngineBackendsTest::autoFallsBackAndSaysWhy_data()
{
    QTest::addColumn<BackendNote>("note");
    QTest::addColumn<QString>("advice");
    using enum CardProblem;
    QTest::newRow("no library") << BackendNote{NoLibrary, {}} << "build with CUDA";
    QTest::newRow("a bad library") << BackendNote{BadLibrary, "it is cut off"} << "install it anew";
    QTest::newRow("no driver") << BackendNote{NoDriver, "of version 0"} << "install a newer NVIDIA driver";
    QTest::newRow("no device") << BackendNote{NoDevice, {}} << "use --backend cpu";
    QTest::newRow("too old") << BackendNote{TooOld, "compute capability 6.1"} << "use --backend cpu";
    QTest::newRow("no cuBLAS") << BackendNote{NoCublas, "libcublas.so.13"} << "install the cuBLAS library";
}

void EngineBackendsTest::autoFallsBackAndSaysWhy()
{
    QFETCH(BackendNote, note);
    SteppedEngine engine(optionsFor(BackendChoice::Auto), offerNone(note));
    engine.load(kTinyModel);
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QVERIFY(engine.info.backendNote == note);
    QCOMPARE(run(engine, 1), answersOfCpu(1));
}

void EngineBackendsTest::cudaIsRefusedWithAdvice()
{
    QFETCH(BackendNote, note);
    QFETCH(QString, advice);
    SteppedEngine engine(optionsFor(BackendChoice::Cuda), offerNone(note));
    engine.load(kTinyModel);
    QCOMPARE(engine.loadFailures.size(), std::size_t{1});
    const Error& error = engine.loadFailures.front().error;
    QCOMPARE(error.where, std::string("--backend cuda"));
    QVERIFY2(error.what.find(textOf(note)) != std::string::npos, error.what.c_str());
    QVERIFY2(QString::fromStdString(error.advice).startsWith(advice), error.advice.c_str());
}

void EngineBackendsTest::aCardThatIsTooSmallIsNamedWithNumbers()
{
    const auto card = goodCard();
    card->memoryBytes = 100'000;
    SteppedEngine engine(optionsFor(BackendChoice::Auto), offerCard(card));
    engine.load(kTinyModel);
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QVERIFY(engine.info.backendNote && engine.info.backendNote->problem == CardProblem::CannotHold);
    const std::string& detail = engine.info.backendNote->detail;
    QVERIFY2(detail.find("the weights take") != std::string::npos &&
                 detail.find("0 MiB of the graphics card's memory are free") != std::string::npos,
             detail.c_str());
    QCOMPARE(run(engine, 1), answersOfCpu(1));

    EngineOptions options = optionsFor(BackendChoice::Cuda);
    options.scheduler.numBlocks = 1 << 20;
    card->memoryBytes = std::int64_t{1} << 30;
    SteppedEngine large(options, offerCard(card));
    large.load(kTinyModel);
    QCOMPARE(large.loadFailures.size(), std::size_t{1});
    const std::string line = large.loadFailures.front().error.line();
    QVERIFY2(line.find("1048576 blocks takes") != std::string::npos &&
                 line.find("MiB of the graphics card's memory are free") != std::string::npos,
             line.c_str());
}

void EngineBackendsTest::aCardThatFailsWhileLoadingIsLeftToTheProcessor()
{
    const auto card = goodCard();
    card->failsToLoad = true;
    SteppedEngine engine(optionsFor(BackendChoice::Auto), offerCard(card));
    engine.load(kTinyModel);
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QVERIFY((engine.info.backendNote == BackendNote{CardProblem::Failed, "test card: the device is lost"}));
    QCOMPARE(run(engine, 2), answersOfCpu(2));

    SteppedEngine strict(optionsFor(BackendChoice::Cuda), offerCard(card));
    strict.load(kTinyModel);
    QCOMPARE(strict.loadFailures.size(), std::size_t{1});
    QCOMPARE(
        strict.loadFailures.front().error.what,
        std::string(
            "no graphics card can be used: the graphics card has failed: test card: the device is lost"));
    QVERIFY(strict.info.path.empty());
}

void EngineBackendsTest::aCancelledLoadIsNotTriedOnTheProcessor()
{
    SteppedEngine engine(optionsFor(BackendChoice::Auto), offerCard(goodCard()));
    engine.load(kTinyModel, std::make_shared<std::atomic<bool>>(true));
    QCOMPARE(engine.loadFailures.size(), std::size_t{1});
    QVERIFY(engine.loadFailures.front().cancelled);
}

void EngineBackendsTest::cpuDoesNotLookForACard()
{
    const auto card = goodCard();
    SteppedEngine engine(optionsFor(BackendChoice::Cpu), offerCard(card));
    engine.load(kTinyModel);
    QCOMPARE(card->opened, 0);
    QVERIFY(engine.info.backend.starts_with("CPU") && !engine.info.backendNote);
}

/// As many blocks as all sequences could need, or what a share of the free memory holds.
void EngineBackendsTest::aPoolOnTheCardTakesMostOfItsMemory()
{
    EngineOptions options = optionsFor(BackendChoice::Cuda);
    options.scheduler.numBlocks = 0;
    options.scheduler.maxNumSeqs = 3;
    const auto card = goodCard();
    SteppedEngine engine(options, offerCard(card));
    engine.load(kTinyModel);
    QCOMPARE(engine.info.numBlocks, 3 * 33 + 1); // of 512 tokens, and one for what is written next
    options.scheduler.maxNumSeqs = 4096;
    for (const int mib : {64, 256}) {
        card->memoryBytes = std::int64_t{mib} << 20;
        SteppedEngine small(options, offerCard(card));
        small.load(kTinyModel);
        const double share =
            static_cast<double>(small.info.kvCacheBytes) / static_cast<double>(card->memoryBytes);
        QVERIFY2(share > 0.2 && share < 0.5,
                 qPrintable(QString::number(share))); // half is kept back where there is little
    }
}

void EngineBackendsTest::aChatMovesWithTheOptions()
{
    const auto card = goodCard();
    SteppedEngine engine(optionsFor(BackendChoice::Cpu), offerCard(card));
    engine.load(kTinyModel);
    engine.setOptions(optionsFor(BackendChoice::Auto));
    QVERIFY(engine.info.backend.starts_with("CUDA"));
    QCOMPARE(run(engine, 2), answersOfCpu(2));
    engine.setOptions(optionsFor(BackendChoice::Cuda)); // where it is already
    QCOMPARE(card->opened, 2);                          // once to look, once to stay
    engine.setOptions(optionsFor(BackendChoice::Cpu));
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QCOMPARE(run(engine, 2), answersOfCpu(2));
    QVERIFY(engine.optionRefusals.empty());
    card->failsToLoad = true;
    engine.setOptions(optionsFor(BackendChoice::Cuda));
    QCOMPARE(engine.optionRefusals.size(), std::size_t{1});
    QCOMPARE(run(engine, 2), answersOfCpu(2));
}

/// However many chats there are; one that may get any token does not make the others wait for all logits.
void EngineBackendsTest::theGreatestLogitsOfAStepAreAskedForAtOnce()
{
    const auto card = goodCard();
    card->findsGreatest = true;
    EngineOptions options = optionsFor(BackendChoice::Cuda);
    options.scheduler.numBlocks = 400;
    options.scheduler.maxNumSeqs = 64;
    SteppedEngine engine(options, offerCard(card));
    engine.load(kTinyModel);
    QCOMPARE(run(engine, 40), answersOfCpu(40));
    const auto samples = [](const StepRecord& record) {
        return std::ranges::any_of(record.events, [](const StepEvent& event) {
            const auto* member = std::get_if<event::Member>(&event);
            return member != nullptr && member->samples;
        });
    };
    QCOMPARE(card->topCalls, int(std::ranges::count_if(engine.records, samples)));
    QCOMPARE(card->wholeRows, 0);

    Request any = greedy(promptOf(8, 1), 6);
    any.sampling = {};
    any.sampling.temperature = 1;
    any.sampling.topK = 0;
    any.sampling.topP = 1;
    any.sampling.minP = 0;
    any.sampling.seed = 7;
    SteppedEngine cpu(optionsFor(BackendChoice::Cpu));
    cpu.load(kTinyModel);
    std::vector<TokenId> expected;
    for (SteppedEngine* which : {&cpu, &engine}) {
        const RequestId free = which->submit(any);
        const std::vector<RequestId> others = submitChats(*which, 3);
        QVERIFY(which->runOut());
        QCOMPARE(answersTo(others, *which), answersOfCpu(3));
        if (which == &cpu)
            expected = (*which)[free].ids;
        QCOMPARE((*which)[free].ids, expected);
    }
    QCOMPARE(expected.size(), std::size_t{6});
    QCOMPARE(card->wholeRows, 6); // its own alone
}

/// The one before leaves it first, though not for a file that cannot be read.
void EngineBackendsTest::oneModelAtATimeIsOnTheCard()
{
    const auto card = goodCard();
    SteppedEngine engine(optionsFor(BackendChoice::Cuda), offerCard(card));
    engine.load(kTinyModel);
    const RequestId running = engine.submit(greedy(promptOf(8, 1), 5));
    engine.step();
    engine.load("/nowhere/model.gguf");
    QVERIFY(engine.runOut());
    QCOMPARE(engine[running].ids.size(), std::size_t{5});
    engine.load(kTinyModel);
    QCOMPARE(engine.loads.size(), std::size_t{2});
    QCOMPARE(card->mostAtOnce, 1);
    QCOMPARE(run(engine, 2), answersOfCpu(2));
    card->failsToLoad = true;
    engine.load(kTinyModel);
    QCOMPARE(engine.loadFailures.size(), std::size_t{2});
    QCOMPARE(engine.modelsGone, 0);
    QVERIFY(engine.info.backend.starts_with("CPU")); // the one before goes on there
    QVERIFY((engine.info.backendNote == BackendNote{CardProblem::Failed, "test card: the device is lost"}));
    QCOMPARE(run(engine, 2), answersOfCpu(2));
    card->failsToLoad = false;
    engine.load(kTinyModel);
    QCOMPARE(run(engine, 2), answersOfCpu(2));
}

void EngineBackendsTest::aCancelledLoadBringsTheModelBackToTheCard()
{
    const auto card = goodCard();
    const auto cancel = std::make_shared<std::atomic<bool>>(false);
    SteppedEngine engine(optionsFor(BackendChoice::Cuda), [&] {
        *cancel = card->opened == 1; // while the second model loads
        return offerCard(card)();
    });
    engine.load(kTinyModel);
    engine.load(kTinyModel, cancel);
    QCOMPARE(engine.loadFailures.size(), std::size_t{1});
    QVERIFY(engine.loadFailures.front().cancelled);
    QCOMPARE(engine.modelsGone, 0);
    QVERIFY(engine.info.backend.starts_with("CUDA"));
    QCOMPARE(card->mostAtOnce, 1);
    QCOMPARE(run(engine, 2), answersOfCpu(2));
}

void EngineBackendsTest::aModelWhoseFileIsGoneCannotComeBack()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.gguf");
    QVERIFY(QFile::copy(QString::fromStdString(kTinyModel), path));
    const auto card = goodCard();
    SteppedEngine engine(optionsFor(BackendChoice::Cuda), offerCard(card));
    engine.load(path.toStdString());
    QVERIFY(QFile::remove(path));
    card->failsToLoad = true;
    engine.load(kTinyModel);
    QCOMPARE(engine.modelsGone, 1);
    QCOMPARE(engine.loadFailures.size(), std::size_t{1});
    card->failsToLoad = false;
    engine.load(kTinyModel);
    QCOMPARE(run(engine, 2), answersOfCpu(2));
}

QTEST_GUILESS_MAIN(EngineBackendsTest)
#include "test_engine_backends.moc"
