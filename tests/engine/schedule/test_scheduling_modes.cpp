// SPDX-License-Identifier: GPL-3.0-or-later
// The modes that stand beside the product's own: static batches, no KV cache, prompts in one piece.
#include "tests/support/toy_checks.h"

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

class TestSchedulingModes : public QObject {
    Q_OBJECT
private slots:
    void withoutChunksALongPromptIsComputedWholeBesideDecodes()
    {
        SchedulerOptions options = toyOptions(101);
        options.maxStepStretch = 1;
        options.enableChunkedPrefill = false;
        ToyEngine engine(options);
        engine.submit(4, 4);
        engine.step();
        engine.submit(20, 1);
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {2, 20}}));
        VERIFY_DRAINED(engine);
    }

    void aStaticBatchIsClosedUntilItsLongestMemberEnds()
    {
        SchedulerOptions options = toyOptions(21);
        options.batching = Batching::Static;
        options.maxNumSeqs = 2;
        ToyEngine engine(options);
        engine.submit(4, 2);
        engine.submit(4, 5);
        const auto third = engine.submit(4, 2);
        engine.step();
        QCOMPARE(reasonOf(engine, third), WaitReason::MaxNumSeqs); // the batch is being formed
        engine.step();
        QCOMPARE(reasonOf(engine, third), WaitReason::StaticBatch);
        engine.step();
        const auto members = eventsOf<event::Member>(engine.lastRecord());
        QCOMPARE(members.size(), std::size_t(2));
        QCOMPARE(members.at(1).kind, MemberKind::Padding);
        QCOMPARE(members.at(1).sequence, SequenceId{1});
        VERIFY_DRAINED(engine);
        const SchedulerCounters& counters = engine.scheduler().counters();
        QCOMPARE(counters.steps, std::uint64_t(7));
        QCOMPARE(counters.memberSteps, std::uint64_t(9));
        QCOMPARE(counters.paddingSteps, std::uint64_t(3));
    }

    void aStaticBatchTakesInMoreThanItsFirstStepComputes()
    {
        SchedulerOptions options = toyOptions(21);
        options.batching = Batching::Static;
        options.maxNumBatchedTokens = 10;
        ToyEngine engine(options);
        for (int i = 0; i < 3; ++i)
            engine.submit(8, 2);
        engine.step();
        QCOMPARE(engine.scheduler().running().size(), std::size_t(3));
        QCOMPARE(engine.members(), (Members{{1, 8}, {2, 2}}));
        VERIFY_DRAINED(engine);
    }

    /// views.md, lesson 1: without the cache step i computes i tokens, N(N + 1) / 2 in all; with it N.
    void withoutTheKvCacheEveryStepComputesAllTokens()
    {
        SchedulerOptions options = toyOptions(101);
        for (const bool cache : {true, false}) {
            options.kvCache = cache;
            ToyEngine engine(options);
            const auto id = engine.submit(std::vector<TokenId>{42}, 128);
            VERIFY_DRAINED(engine);
            QCOMPARE(engine.scheduler().counters().computedTokens, std::uint64_t(cache ? 128 : 8256));
            QCOMPARE(engine.answers().at(id).tokens, ToyEngine::expectedAnswer({42}, 128));
        }
    }

    void withoutChunksAPromptWaitsForABudgetThatHoldsIt()
    {
        SchedulerOptions options = toyOptions();
        options.enableChunkedPrefill = false;
        options.maxNumBatchedTokens = 12;
        ToyEngine engine(options);
        engine.submit(8, 4);
        const auto second = engine.submit(8, 4);
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 8}}));
        QCOMPARE(reasonOf(engine, second), WaitReason::TokenBudget);
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {2, 8}}));
        VERIFY_DRAINED(engine);
    }

    void withoutChunksAPreemptedSequenceLongerThanTheBudgetStillComesBack()
    {
        SchedulerOptions options = toyOptions();
        options.enableChunkedPrefill = false;
        options.enablePrefixCaching = false;
        options.maxNumBatchedTokens = 8;
        ToyEngine engine(options);
        const auto id = engine.submit(8, 20);
        for (int i = 0; i < 10; ++i)
            engine.step();
        engine.scheduler().forcePreemption(id);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).tokens.size(), std::size_t(20));
    }
};

QTEST_APPLESS_MAIN(TestSchedulingModes)
#include "test_scheduling_modes.moc"
