// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits and why, who goes first, and who makes room.
#include "tests/support/toy_checks.h"

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

class TestSchedulingOrder : public QObject {
    Q_OBJECT
private slots:
    void theQueueIsFirstComeFirstServedEvenWhereALaterOneWouldFit()
    {
        ToyEngine engine(toyOptions());
        engine.submit(24, 4);
        const auto head = engine.submit(20, 4);
        const auto small = engine.submit(4, 4);
        engine.step();
        QCOMPARE(engine.scheduler().running().size(), std::size_t(1));
        QCOMPARE(reasonOf(engine, head), WaitReason::Capacity);
        QCOMPARE(reasonOf(engine, small), WaitReason::BehindHead);
        VERIFY_DRAINED(engine);
    }

    void whoStandsBehindTheHeadWaitsForTheHead()
    {
        ToyEngine engine(toyOptions()); // ten blocks of four
        engine.submit(24, 4);
        const auto head = engine.submit(20, 4);
        engine.submit(4, 4);
        engine.submit(4, 4);
        engine.step();
        const auto waits = eventsOf<event::Wait>(engine.lastRecord());
        QCOMPARE(waits.size(), std::size_t(3));
        QCOMPARE(waits[0].head, SequenceId{});
        QVERIFY(waits[0].need > waits[0].have);
        for (std::int32_t place = 1; place < 3; ++place) {
            const event::Wait& wait = waits[std::size_t(place)];
            QCOMPARE(wait.reason, WaitReason::BehindHead);
            QCOMPARE(wait.head, head);
            QCOMPARE(wait.need, place);
        }
        VERIFY_DRAINED(engine);
    }

    void whoIsThrownOutWaitsAsRoomWasMade()
    {
        ToyEngine engine(toyOptions()); // ten blocks of four
        engine.submit(16, 12);
        const auto second = engine.submit(16, 12);
        const auto third = engine.submit(16, 4);
        while (eventsOf<event::Preempt>(engine.lastRecord()).empty() && engine.scheduler().hasWork())
            engine.step();
        QCOMPARE(reasonOf(engine, second), WaitReason::RoomMade);
        QCOMPARE(reasonOf(engine, third), WaitReason::RoomMade);
        for (const event::Wait& wait : eventsOf<event::Wait>(engine.lastRecord()))
            QVERIFY(wait.need == 0 && wait.have == 0);
        engine.step();
        QCOMPARE(reasonOf(engine, second), WaitReason::Capacity);
        QCOMPARE(reasonOf(engine, third), WaitReason::BehindHead);
        VERIFY_DRAINED(engine);
    }

    void everyWaitHasItsReason()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumSeqs = 2;
        options.maxNumBatchedTokens = 10;
        ToyEngine engine(options);
        engine.submit(10, 6);
        const auto second = engine.submit(4, 6);
        const auto third = engine.submit(4, 6);
        engine.step();
        QCOMPARE(reasonOf(engine, second), WaitReason::TokenBudget);
        engine.step();
        QCOMPARE(reasonOf(engine, third), WaitReason::MaxNumSeqs);
        const auto waits = eventsOf<event::Wait>(engine.lastRecord());
        QCOMPARE(waits.at(0).need, 3);
        QCOMPARE(waits.at(0).have, 2);
        VERIFY_DRAINED(engine);
    }

    void aLongQueueIsToldByItsHead()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumSeqs = 1;
        ToyEngine engine(options);
        for (int i = 0; i < 400; ++i)
            engine.submit(2, 1);
        engine.step();
        QCOMPARE(eventsOf<event::Wait>(engine.lastRecord()).size(), std::size_t(256));
        QCOMPARE(engine.lastRecord().waiting, 399);
        VERIFY_DRAINED(engine);
    }

    void theMoreUrgentGoFirstUnderPriority()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumSeqs = 1;
        options.schedulingPolicy = SchedulingPolicy::Priority;
        ToyEngine engine(options);
        engine.submit(4, 2, 3);
        const auto late = engine.submit(4, 2, 2);
        const auto urgent = engine.submit(4, 2, 1);
        engine.step();
        QCOMPARE(engine.scheduler().running().front()->id, urgent);
        engine.step();
        engine.step();
        QCOMPARE(engine.scheduler().running().front()->id, late);
        VERIFY_DRAINED(engine);
    }

    void theUrgentTakeOverOnlyIfThatIsEnough()
    {
        SchedulerOptions options = toyOptions();
        options.schedulingPolicy = SchedulingPolicy::Priority;
        ToyEngine engine(options);
        engine.submit(20, 10, 1);                  // five blocks and more
        const auto low = engine.submit(12, 10, 5); // three
        engine.step();
        const auto huge = engine.submit(36, 4, 0); // nine: both would have to go, and they do
        engine.step();
        QCOMPARE(engine.scheduler().running().size(), std::size_t(1));
        QCOMPARE(engine.scheduler().running().front()->id, huge);
        VERIFY_DRAINED(engine);
        QVERIFY(engine.answers().at(low).preemptions >= 1);

        ToyEngine calm(options);
        calm.submit(20, 10, 0);
        calm.submit(12, 10, 5);
        calm.step();
        calm.submit(36, 4, 0); // the low one's three blocks would not do
        calm.step();
        QCOMPARE(calm.scheduler().counters().preemptions, std::uint64_t(0));
        VERIFY_DRAINED(calm);
    }

    void theNewestIsPreemptedAndComputedAgain()
    {
        ToyEngine engine(toyOptions());
        const auto promptA = countingPrompt(15, 1);
        const auto promptB = countingPrompt(15, 500);
        const auto a = engine.submit(promptA, 20);
        const auto b = engine.submit(promptB, 20);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(a).preemptions, 0);
        QVERIFY(engine.answers().at(b).preemptions >= 1);
        QCOMPARE(engine.answers().at(a).tokens, ToyEngine::expectedAnswer(promptA, 20));
        QCOMPARE(engine.answers().at(b).tokens, ToyEngine::expectedAnswer(promptB, 20));
        QVERIFY(engine.scheduler().counters().recomputedTokens > 0);
    }

    void theWatermarkLeavesRoomToGrow()
    {
        SchedulerOptions options = toyOptions(21);
        const auto preemptions = [&](double watermark) {
            options.watermark = watermark;
            ToyEngine engine(options);
            for (int i = 0; i < 12; ++i)
                engine.submit(8, 24);
            return engine.runDry() ? engine.scheduler().counters().preemptions : 0;
        };
        QVERIFY(preemptions(0.3) < preemptions(0));
    }

    void theWatermarkDoesNotKeepOutTheOnlyOne()
    {
        SchedulerOptions options = toyOptions();
        options.watermark = 0.5;
        ToyEngine engine(options);
        engine.submit(40);
        VERIFY_DRAINED(engine);
    }

    /// cases.md, 2: both end without error, and the free blocks return to the start value.
    void twoLongChatsShareASmallPool()
    {
        SchedulerOptions options = toyOptions(128, 16);
        options.maxNumBatchedTokens = 512;
        ToyEngine engine(options, hashBlock);
        const auto a = engine.submit(1400, 100);
        const auto b = engine.submit(500, 100);
        bool toldWhy = false;
        while (engine.scheduler().hasWork()) {
            engine.step();
            toldWhy |= reasonOf(engine, b) == WaitReason::Capacity;
        }
        QVERIFY(toldWhy);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(a).tokens.size(), std::size_t(100));
        QCOMPARE(engine.answers().at(a).preemptions, 0);
        QCOMPARE(engine.answers().at(b).tokens.size(), std::size_t(100));
        QCOMPARE(engine.pool().freeBlocks(), 127);
    }
};

QTEST_APPLESS_MAIN(TestSchedulingOrder)
#include "test_scheduling_order.moc"
