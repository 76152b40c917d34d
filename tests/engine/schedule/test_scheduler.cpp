// SPDX-License-Identifier: GPL-3.0-or-later
// Who is in the next step, and why the others are not.
#include "tests/support/toy_checks.h"

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Members = std::vector<std::pair<std::uint32_t, std::int32_t>>;

template<typename Event>
std::vector<Event> eventsOf(const StepRecord& record)
{
    std::vector<Event> found;
    for (const StepEvent& event : record.events) {
        if (const auto* wanted = std::get_if<Event>(&event))
            found.push_back(*wanted);
    }
    return found;
}

/// The reason that the newest record gives; QCOMPARE wants a value.
WaitReason reasonOf(const ToyEngine& engine, SequenceId id)
{
    for (const auto& wait : eventsOf<event::Wait>(engine.lastRecord())) {
        if (wait.sequence == id)
            return wait.reason;
    }
    return WaitReason::Paused; // which no step gives
}

} // namespace

class TestScheduler : public QObject {
    Q_OBJECT
private slots:
    void promptsAreComputedInChunksAndSampledWithTheLast()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumBatchedTokens = 8;
        ToyEngine engine(options);
        engine.submit(18, 2);
        for (const auto& [tokens, samples] :
             std::vector<std::pair<int, bool>>{{8, false}, {8, false}, {2, true}, {1, true}}) {
            engine.step();
            const auto member = eventsOf<event::Member>(engine.lastRecord()).at(0);
            QCOMPARE(member.tokens, tokens);
            QCOMPARE(member.samples, samples);
        }
        VERIFY_DRAINED(engine);
    }

    void aLongPromptDoesNotHoldUpTheDecodes()
    {
        SchedulerOptions options = toyOptions(101);
        options.maxNumBatchedTokens = 8;
        ToyEngine engine(options);
        for (int i = 0; i < 3; ++i)
            engine.submit(2, 30);
        engine.step();
        engine.submit(60, 2);
        for (int i = 0; i < 12; ++i) {
            engine.step();
            QCOMPARE(engine.members(), (Members{{1, 1}, {2, 1}, {3, 1}, {4, 5}}));
        }
        VERIFY_DRAINED(engine);
    }

    void besideDecodesPromptsLengthenAStepAtMostToTheLimit()
    {
        SchedulerOptions options = toyOptions(101);
        options.attentionKeysPerToken = 1'000'000; // only tokens count here
        options.maxStepStretch = 2.5; // a step with one decode is 4 + 1 long, one of 12 is too much
        ToyEngine engine(options);
        engine.submit(20, 4);
        engine.step(); // nobody decodes: the whole prompt
        QCOMPARE(engine.members(), (Members{{1, 20}}));
        engine.submit(12, 1);
        const auto third = engine.submit(9, 1);
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {2, 7}}));
        QCOMPARE(reasonOf(engine, third), WaitReason::StepStretch);
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {2, 5}, {3, 2}}));
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {3, 7}}));
        VERIFY_DRAINED(engine);
    }

    void deepInAPromptATokenCountsWhatItsAttentionTakes()
    {
        SchedulerOptions options = toyOptions(101);
        options.attentionKeysPerToken = 10;
        options.maxStepStretch = 2.5;
        ToyEngine engine(options);
        engine.submit(1, 60);
        engine.step();
        engine.submit(200, 1);
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {2, 5}})); // 10 (4 + 1 + 5) and some keys
        std::vector<std::int32_t> chunks;
        for (; engine.members().size() == 2; engine.step())
            chunks.push_back(engine.members().back().second);
        QVERIFY(std::ranges::is_sorted(chunks, std::greater{}));
        QCOMPARE(chunks.back(), 1);
        VERIFY_DRAINED(engine);
    }

    /// Case 3 of what users report, by the work of a step.
    void aLongPromptLeavesTheStepsOfThreeChatsShort()
    {
        SchedulerOptions options = EngineOptions().scheduler;
        options.numBlocks = 1300;
        options.attentionKeysPerToken = 877; // the starter model
        ToyEngine engine(options);
        for (int i = 0; i < 3; ++i)
            engine.submit(64, 4000);
        engine.step();
        const auto prompt = engine.submit(6000, 4);
        std::int64_t longest = 0;
        while (engine.scheduler().find(prompt) != nullptr) {
            engine.step([&] {
                StepCost cost(options.attentionKeysPerToken);
                StepCost decodes = cost;
                for (const PlannedMember& member : engine.scheduler().currentPlan().members) {
                    cost.add(member.firstToken, member.tokenCount);
                    if (member.sequence->id != prompt)
                        decodes.add(member.firstToken, member.tokenCount);
                }
                longest = std::max(longest, 100 * cost.total() / decodes.total());
            });
        }
        QVERIFY2(longest <= 300, qPrintable(QString::number(longest)));
        QVERIFY(longest > 200); // and the prompt goes on meanwhile
    }

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

    void aBudgetBelowMaxNumSeqsLimitsTheBatch()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumBatchedTokens = 2;
        ToyEngine engine(options);
        QCOMPARE(engine.scheduler().options().maxNumSeqs, 2);
        for (int i = 0; i < 4; ++i)
            engine.submit(3, 3);
        VERIFY_DRAINED(engine);
    }

    void theQueueIsFirstComeFirstServedEvenWhereALaterOneWouldFit()
    {
        ToyEngine engine(toyOptions());
        engine.submit(24, 4);
        const auto head = engine.submit(20, 4);
        const auto small = engine.submit(4, 4);
        engine.step();
        QCOMPARE(engine.scheduler().running().size(), std::size_t(1));
        QCOMPARE(reasonOf(engine, head), WaitReason::Capacity);
        QCOMPARE(reasonOf(engine, small), WaitReason::Capacity);
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

    void aSharedPromptIsComputedOnce()
    {
        ToyEngine engine(toyOptions(41));
        const auto prompt = countingPrompt(33);
        engine.submit(prompt, 4);
        engine.step();
        engine.submit(prompt, 4);
        engine.submit(prompt, 4);
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {2, 1}, {3, 1}}));
        const SchedulerCounters& counters = engine.scheduler().counters();
        QCOMPARE(counters.queriedTokens, std::uint64_t(99));
        QCOMPARE(counters.hitTokens, std::uint64_t(64));
        VERIFY_DRAINED(engine);
    }

    void answersWaitForTheirPromptAndThenShareIt()
    {
        SchedulerOptions options = toyOptions(41);
        options.maxNumBatchedTokens = 8;
        options.enablePrefixCaching = false;
        ToyEngine engine(options);
        engine.diverge = true;
        SequenceSpec spec;
        spec.promptIds = countingPrompt(16);
        spec.maxTokens = 5;
        const auto ids = engine.scheduler().submitAnswers(spec, 3);
        QVERIFY(ids.has_value());
        engine.step();
        QCOMPARE(reasonOf(engine, ids->at(1)), WaitReason::SharedPrompt);
        QCOMPARE(engine.lastRecord().waiting, 2);
        engine.step();
        engine.step();
        QCOMPARE(engine.members(), (Members{{1, 1}, {2, 1}, {3, 1}}));
        QCOMPARE(engine.pool().totals().sharedBlocks(), 3);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.scheduler().counters().hitTokens, std::uint64_t(0));
        for (const SequenceId id : *ids)
            QCOMPARE(engine.answers().at(id).tokens,
                     ToyEngine::expectedAnswer(spec.promptIds, 5, std::int32_t(id.value)));
    }

    void answersGoOnWithoutTheFirst()
    {
        ToyEngine engine(toyOptions(41));
        SequenceSpec spec;
        spec.promptIds = countingPrompt(13);
        spec.maxTokens = 5;
        const auto ids = engine.scheduler().submitAnswers(spec, 3);
        QVERIFY(engine.scheduler().cancel(ids->at(0)));
        VERIFY_DRAINED(engine);
        for (const std::size_t i : {1, 2})
            QCOMPARE(engine.answers().at(ids->at(i)).tokens, ToyEngine::expectedAnswer(spec.promptIds, 5));
        QVERIFY(!engine.scheduler().submitAnswers(spec, 0));
    }

    void anAnswerEndsByItsOwnLimitOrByTheContext()
    {
        SchedulerOptions options = toyOptions();
        options.maxModelLen = 20;
        ToyEngine engine(options);
        const auto limited = engine.submit(10, 5);
        const auto unlimited = engine.submit(10);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(limited).tokens.size(), std::size_t(5));
        QVERIFY(!engine.answers().at(limited).explanation);
        QCOMPARE(engine.answers().at(unlimited).tokens.size(), std::size_t(10));
        QVERIFY(engine.answers().at(unlimited).explanation->what.find("context of 20") != std::string::npos);
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

    void timesAreThoseOfTheSteps()
    {
        StepRecorder recorder;
        Scheduler scheduler(toyOptions(), recorder);
        SequenceSpec spec;
        spec.promptIds = countingPrompt(3);
        spec.maxTokens = 1;
        spec.arrivalSeconds = 1.5;
        const auto id = scheduler.submit(spec);
        static_cast<void>(scheduler.plan(2.0));
        scheduler.commit(std::vector{Outcome{*id, 9, {}}}, 3.0);
        const auto ended = scheduler.takeEnded();
        QCOMPARE(ended.size(), std::size_t(1));
        QCOMPARE(ended[0].sequence->firstPlannedSeconds, 2.0);
        QCOMPARE(ended[0].sequence->firstTokenSeconds, 3.0);
        QCOMPARE(ended[0].sequence->endSeconds, 3.0);
        const StepRecord record = recorder.take();
        QCOMPARE(std::get<event::Arrive>(record.events.at(0)).seconds, 1.5);
        QCOMPARE(record.poolChecksum, scheduler.pool().checksum());
    }

    void aSequenceWithoutATokenEndsWithAnError()
    {
        StepRecorder recorder;
        Scheduler scheduler(toyOptions(), recorder);
        SequenceSpec spec;
        spec.promptIds = countingPrompt(3);
        const auto id = scheduler.submit(spec);
        static_cast<void>(scheduler.plan(0));
        scheduler.commit(std::vector{Outcome{*id, 0, EndReason::Error}}, 0);
        const auto ended = scheduler.takeEnded();
        QCOMPARE(ended.at(0).reason, EndReason::Error);
        QVERIFY(ended.at(0).sequence->outputIds().empty());
        QVERIFY(!scheduler.hasWork());
    }

    void aResetAbortsAllAndForgetsTheCache()
    {
        ToyEngine engine(toyOptions());
        const auto prompt = countingPrompt(12);
        engine.submit(prompt, 20);
        engine.submit(20, 20);
        engine.submit(20, 20);
        for (int i = 0; i < 3; ++i)
            engine.step();
        engine.scheduler().reset();
        QVERIFY(!engine.scheduler().hasWork());
        QCOMPARE(engine.pool().totals().cachedFreeBlocks(), 0);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().size(), std::size_t(3));
        for (const auto& [id, answer] : engine.answers())
            QCOMPARE(answer.reason, EndReason::Aborted);
    }
};

QTEST_APPLESS_MAIN(TestScheduler)
#include "test_scheduler.moc"
