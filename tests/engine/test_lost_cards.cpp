// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/card_chats.h"
#include "ui/models/pool_mirror.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

/// What happens when the card is lost: the processor takes over, and no chat is.
class LostCardsTest : public QObject {
    Q_OBJECT
private slots:
    void aLostCardLosesNoAnswer_data();
    void aLostCardLosesNoAnswer();
    void aStepThatTheCardHasNoMemoryForIsComputedByTheProcessor();
    void viewsStayExactWhenTheCardIsLost();
    void aCardMayBeLostTwice();
    void aCardLostWhileIdleIsLeftByTheNextPool();
    void aCardLostWhileIdleIsLeftByTheNextPoolFromFreeMemory();
    void chatsGoOnInAPoolOfAnotherSize();
    void withoutTheFileTheChatsAreTold();
};

void LostCardsTest::aLostCardLosesNoAnswer_data()
{
    QTest::addColumn<int>("calls");
    QTest::addColumn<int>("chats");
    for (const int calls : {0, 1, 2, 5, 11})
        QTest::addRow("4 chats, after %d calls", calls) << calls << 4;
    for (const int calls : {0, 1, 3, 6, 10}) // a step asks for the logits of 32 chats at a time
        QTest::addRow("40 chats, after %d calls", calls) << calls << 40;
}

void LostCardsTest::aLostCardLosesNoAnswer()
{
    QFETCH(int, calls);
    QFETCH(int, chats);
    const auto card = goodCard();
    card->logitsToFailure = calls;
    EngineOptions options = optionsFor(BackendChoice::Cuda);
    options.scheduler.numBlocks = 400;
    SteppedEngine engine(options, offerCard(card));
    engine.load(kTinyModel);
    QVERIFY(engine.info.backend.starts_with("CUDA"));
    QCOMPARE(run(engine, chats), answersOfCpu(chats));
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QVERIFY((engine.info.backendNote == BackendNote{CardProblem::Failed, "test card: the device is lost"}));
    QCOMPARE(engine.optionChanges, 2); // as it failed, and when the processor was ready
    QCOMPARE(engine.snapshots, 1);     // the same pool goes on
    QCOMPARE(run(engine, 2), answersOfCpu(2));
    QVERIFY(poolIsWhole(engine));
}

void LostCardsTest::aStepThatTheCardHasNoMemoryForIsComputedByTheProcessor()
{
    const auto card = goodCard();
    card->mostRows = 50;
    SteppedEngine engine(optionsFor(BackendChoice::Cuda), offerCard(card));
    engine.load(kTinyModel);
    QCOMPARE(run(engine, 2), answersOfCpu(2));
    QVERIFY(engine.info.backend.starts_with("CUDA"));
    QCOMPARE(run(engine, 5), answersOfCpu(5));
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QVERIFY(engine.info.backendNote->problem == CardProblem::CannotHold);
    const std::string why = textOf(*engine.info.backendNote);
    QVERIFY2(why.find("too little memory for a step: 1024 MiB of the graphics card's memory are free") !=
                 std::string::npos,
             why.c_str());
}

/// Step records go on without a gap, and tell of each sampled token once.
void LostCardsTest::viewsStayExactWhenTheCardIsLost()
{
    const auto card = goodCard();
    card->logitsToFailure = 5;
    EngineOptions options = optionsFor(BackendChoice::Cuda);
    options.scheduler.numBlocks = 400;
    SteppedEngine engine(options, offerCard(card));
    engine.load(kTinyModel);
    const std::vector<RequestId> ids = submitChats(engine, 40);
    QVERIFY(engine.runOut());
    std::size_t tokens = 0;
    for (const RequestId id : ids)
        tokens += engine[id].ids.size();
    ui::PoolMirror mirror;
    QVERIFY(mirror.apply(*engine.snapshot));
    std::size_t samples = 0;
    int lost = 0;
    for (const StepRecord& record : engine.records) {
        QVERIFY(mirror.apply(record));
        for (const StepEvent& event : record.events) {
            const auto* member = std::get_if<event::Member>(&event);
            samples += member != nullptr && member->samples ? 1 : 0;
            const auto* preempt = std::get_if<event::Preempt>(&event);
            lost += preempt != nullptr && preempt->reason == PreemptReason::CacheLost ? 1 : 0;
        }
    }
    QCOMPARE(samples, tokens);
    QVERIFY(lost > 10); // those that ran
}

void LostCardsTest::aCardMayBeLostTwice()
{
    const auto card = goodCard();
    SteppedEngine engine(optionsFor(BackendChoice::Auto), offerCard(card));
    for (int i = 0; i < 2; ++i) {
        card->logitsToFailure = 3;
        engine.load(kTinyModel);
        QVERIFY(engine.info.backend.starts_with("CUDA"));
        QCOMPARE(run(engine, 3), answersOfCpu(3));
        QVERIFY(engine.info.backend.starts_with("CPU"));
    }
    QCOMPARE(card->opened, 2);
}

/// Nothing was asked of it in between.
void LostCardsTest::aCardLostWhileIdleIsLeftByTheNextPool()
{
    const auto card = goodCard();
    EngineOptions options = optionsFor(BackendChoice::Cuda);
    SteppedEngine engine(options, offerCard(card));
    engine.load(kTinyModel);
    QCOMPARE(run(engine, 2), answersOfCpu(2));
    card->isLost = true;
    options.scheduler.numBlocks = 300;
    engine.setOptions(options);
    QVERIFY(engine.optionRefusals.empty());
    QCOMPARE(engine.modelsGone, 0);
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QVERIFY((engine.info.backendNote == BackendNote{CardProblem::Failed, "test card: the device is lost"}));
    QCOMPARE(engine.info.numBlocks, 300);
    QCOMPARE(run(engine, 3), answersOfCpu(3));
    QVERIFY(poolIsWhole(engine));
}

/// Nothing is known of the memory of a card that is lost: that is no reason to refuse.
void LostCardsTest::aCardLostWhileIdleIsLeftByTheNextPoolFromFreeMemory()
{
    const auto card = goodCard();
    EngineOptions options = optionsFor(BackendChoice::Auto);
    SteppedEngine engine(options, offerCard(card));
    engine.load(kTinyModel);
    card->isLost = true;
    options.scheduler.numBlocks = 0;
    options.scheduler.maxNumSeqs = 7;
    engine.setOptions(options);
    QVERIFY(engine.optionRefusals.empty());
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QCOMPARE(engine.info.maxNumSeqs, 7);
    QCOMPARE(run(engine, 3), answersOfCpu(3));
}

/// A pool of the card's size may be more than the processor's memory holds.
void LostCardsTest::chatsGoOnInAPoolOfAnotherSize()
{
    const auto card = goodCard();
    card->memoryBytes = std::int64_t{1} << 50;
    card->logitsToFailure = 60;
    EngineOptions options = optionsFor(BackendChoice::Cuda);
    options.scheduler.numBlocks = 0;
    options.scheduler.maxNumSeqs = 7;
    SteppedEngine engine(options, offerCard(card));
    engine.load(kTinyModel);
    const std::int32_t blocks = engine.info.numBlocks;
    const RequestId longChat = engine.submit(greedy(promptOf(300, 1), 100));
    const std::vector<RequestId> ids = submitChats(engine, 3);
    QVERIFY(engine.runOut());
    QVERIFY(engine.info.backend.starts_with("CPU"));
    QVERIFY(engine.info.numBlocks != blocks); // sized for the memory that there is
    QCOMPARE(engine.snapshots, 2);
    QCOMPARE(answersTo(ids, engine), answersOfCpu(3));
    QCOMPARE(engine[longChat].ids.size(), std::size_t{100});
    QVERIFY(poolIsWhole(engine));
}

void LostCardsTest::withoutTheFileTheChatsAreTold()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.gguf");
    QVERIFY(QFile::copy(QString::fromStdString(kTinyModel), path));
    const auto card = goodCard();
    card->logitsToFailure = 4;
    SteppedEngine engine(optionsFor(BackendChoice::Cuda), offerCard(card));
    engine.load(path.toStdString());
    QVERIFY(QFile::remove(path));
    const std::vector<RequestId> ids = submitChats(engine, 2);
    QVERIFY(engine.runOut());
    for (const RequestId id : ids) {
        QCOMPARE(engine[id].finished.size(), std::size_t{1});
        QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
        QVERIFY(engine[id].finished.front().error->what.find("the device is lost") != std::string::npos);
    }
    QCOMPARE(engine.modelsGone, 1);
    engine.load(kTinyModel); // and the next model is there for all
    card->logitsToFailure = -1;
    QCOMPARE(run(engine, 2), answersOfCpu(2));
}

QTEST_GUILESS_MAIN(LostCardsTest)
#include "test_lost_cards.moc"
