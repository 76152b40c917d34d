// SPDX-License-Identifier: GPL-3.0-or-later
// How such engines break, as a test for each way. Those of the outbox and of the allocators stand with these.
#include "tests/support/toy_checks.h"

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::uint64_t constantHash(std::uint64_t, std::span<const TokenId>, std::uint64_t)
{
    return 1;
}

/// A token sequence of the toy model: what stands in a prompt is never taken for something else.
bool answersRight(const ToyEngine& engine, SequenceId id, const std::vector<TokenId>& prompt)
{
    const auto& answer = engine.answers().at(id);
    return answer.tokens == ToyEngine::expectedAnswer(prompt, std::int32_t(answer.tokens.size()));
}

bool isRunning(ToyEngine& engine, SequenceId id)
{
    const Sequence* sequence = engine.scheduler().find(id);
    return sequence != nullptr && sequence->status == SequenceStatus::Running;
}

} // namespace

class TestBreakages : public QObject {
    Q_OBJECT
private slots:
    /// What is too long for the new pool ends with its reason; all others go on where they were.
    void sequencesGoOnInASmallerPool()
    {
        StepRecorder recorder;
        SchedulerOptions options = toyOptions();
        options.numBlocks = 41;
        auto scheduler = std::make_unique<Scheduler>(options, recorder);
        const auto submit = [&](std::int32_t prompt, std::int32_t answer) {
            return *scheduler->submit({.promptIds = countingPrompt(prompt), .maxTokens = answer});
        };
        const SequenceId small = submit(6, 4);
        const SequenceId longAnswer = submit(8, 100);
        const SequenceId longPrompt = submit(50, 4);
        for (int i = 0; i < 3; ++i) {
            std::vector<Outcome> outcomes;
            for (const PlannedMember& member : scheduler->plan(0).members)
                if (member.samplesNext)
                    outcomes.push_back({member.sequence->id, 5, {}});
            i < 2 ? scheduler->commit(outcomes, 0) : scheduler->loseCache({}, 0);
        }
        QVERIFY(scheduler->running().empty());
        const std::uint64_t step = scheduler->step();
        options.numBlocks = 11;
        scheduler = std::make_unique<Scheduler>(options, recorder, std::move(*scheduler));
        QCOMPARE(scheduler->step(), step);
        QCOMPARE(scheduler->pool().freeBlocks(), 10);
        const std::vector<EndedSequence> ended = scheduler->takeEnded();
        QCOMPARE(ended.size(), std::size_t(1));
        QCOMPARE(ended.front().sequence->id, longPrompt);
        QCOMPARE(ended.front().reason, EndReason::Length);
        QVERIFY(ended.front().explanation.has_value());
        QVERIFY(scheduler->find(small) != nullptr);
        QCOMPARE(scheduler->find(small)->maxTotalTokens, 10);
        QCOMPARE(scheduler->find(longAnswer)->maxTotalTokens, 40); // all that the pool holds
        QVERIFY(checkInvariants(*scheduler).empty());
        QVERIFY(!scheduler->plan(0).empty());
    }

    void aPromptThatNeedsEveryUsableBlockIsServed()
    {
        ToyEngine engine(toyOptions());
        const auto id = engine.submit(40);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).reason, EndReason::Length);
        QCOMPARE(engine.answers().at(id).tokens.size(), std::size_t(1));
    }

    void aPromptThatNeedsTheNullBlockTooIsRefused()
    {
        ToyEngine engine(toyOptions());
        SequenceSpec spec;
        spec.promptIds = countingPrompt(41);
        const auto refused = engine.scheduler().submit(spec);
        QVERIFY(!refused);
        QVERIFY(refused.error().line().find("11 blocks") != std::string::npos);
        QVERIFY(refused.error().line().find("10") != std::string::npos);
        QVERIFY(!engine.scheduler().hasWork());
    }

    void waitingRequestsHoldNoBlocks()
    {
        ToyEngine engine(toyOptions());
        const auto prompt = countingPrompt(30);
        engine.submit(prompt, 4);
        engine.submit(prompt, 4); // full of hits, but it does not fit beside the first
        engine.submit(20, 4);
        engine.step();
        engine.step();
        std::int32_t held = 0;
        for (const Sequence* sequence : engine.scheduler().running())
            held += std::int32_t(sequence->blockTable.blocks.size());
        QVERIFY(held >= engine.pool().totals().activeBlocks());
        for (const Sequence* sequence : engine.scheduler().waiting())
            QVERIFY(sequence->blockTable.blocks.empty());
        VERIFY_DRAINED(engine);
    }

    void longPromptsAreAdmittedWholeAndDoNotThrash()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumBatchedTokens = 4;
        ToyEngine engine(options);
        for (int i = 0; i < 5; ++i)
            engine.submit(24, 8);
        while (engine.scheduler().hasWork()) {
            engine.step();
            QVERIFY(engine.scheduler().running().size() <= 1); // six blocks each, ten in all
        }
        QCOMPARE(engine.scheduler().counters().preemptions, std::uint64_t(0));
        VERIFY_DRAINED(engine);
    }

    void aRequestWithHitsThatFailsTheCapacityCheckLeavesNoReference()
    {
        ToyEngine engine(toyOptions());
        const auto prompt = countingPrompt(16);
        engine.submit(prompt, 1);
        engine.step(); // four blocks are cached-free now
        engine.submit(20, 8);
        engine.step();
        auto longer = prompt;
        longer.resize(30, 7);
        engine.submit(longer, 1); // eight blocks, four of them hits in the free queue, five are free
        engine.step();
        QCOMPARE(eventsOf<event::Share>(engine.lastRecord()).size(), std::size_t(0));
        const auto waits = eventsOf<event::Wait>(engine.lastRecord());
        QCOMPARE(waits.size(), std::size_t(1));
        QCOMPARE(waits[0].reason, WaitReason::Capacity);
        QCOMPARE(waits[0].need, 8);
        VERIFY_DRAINED(engine);
    }

    void itsOwnHitsAreTheOnlyEvictableBlocks()
    {
        ToyEngine engine(toyOptions());
        const auto prompt = countingPrompt(37);
        engine.submit(prompt, 3);
        VERIFY_DRAINED(engine);
        auto again = prompt;
        again.back() = 777;
        const auto id = engine.submit(again, 3);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).cachedTokens, 36);
        QVERIFY(answersRight(engine, id, again));
    }

    void releasedTwice()
    {
        ToyEngine engine(toyOptions());
        const auto a = engine.submit(10, 5);
        const auto b = engine.submit(10, 5);
        engine.step();
        QVERIFY(engine.scheduler().cancel(a));
        QVERIFY(!engine.scheduler().cancel(a));
        engine.step([&] {
            QVERIFY(engine.scheduler().cancel(b));
            QVERIFY(!engine.scheduler().cancel(b));
        });
        QVERIFY(!engine.scheduler().cancel(b));
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(a).timesEnded, 1);
        QCOMPARE(engine.answers().at(b).timesEnded, 1);
    }

    void twoSequencesDoNotWriteOneSharedPartialTail()
    {
        ToyEngine engine(toyOptions(21));
        engine.diverge = true; // or equal answers would hide that somebody writes into another's block
        SequenceSpec spec;
        spec.promptIds = countingPrompt(10);
        spec.maxTokens = 9;
        const auto ids = engine.scheduler().submitAnswers(spec, 4);
        QVERIFY(ids.has_value());
        engine.step();
        engine.step();
        QCOMPARE(eventsOf<event::Copy>(engine.lastRecord()).size(), std::size_t(3));
        VERIFY_DRAINED(engine);
        for (const SequenceId id : *ids) {
            QCOMPARE(engine.answers().at(id).tokens,
                     ToyEngine::expectedAnswer(spec.promptIds, 9, std::int32_t(id.value)));
        }
    }

    void aHashThatReturnsAConstantChangesNoAnswer()
    {
        ToyEngine engine(toyOptions(), constantHash);
        std::vector<std::vector<TokenId>> prompts;
        std::vector<SequenceId> ids;
        for (TokenId i = 0; i < 6; ++i) {
            prompts.push_back(countingPrompt(9 + i, 1 + i % 2));
            ids.push_back(engine.submit(prompts.back(), 6));
        }
        VERIFY_DRAINED(engine);
        for (std::size_t i = 0; i < ids.size(); ++i)
            QVERIFY(answersRight(engine, ids[i], prompts[i]));
    }

    void aFullyCachedPromptOfWholeBlocksStillHasSomethingToCompute()
    {
        ToyEngine engine(toyOptions());
        const auto prompt = countingPrompt(16);
        engine.submit(prompt, 1);
        VERIFY_DRAINED(engine);
        const auto id = engine.submit(prompt, 3);
        engine.step();
        QCOMPARE(engine.members().front().second, 4);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).cachedTokens, 12);
        QVERIFY(answersRight(engine, id, prompt));
    }

    void equalPromptsOfOneStepDoNotReadWhatIsNotWritten()
    {
        ToyEngine engine(toyOptions(21));
        const auto prompt = countingPrompt(12);
        const auto a = engine.submit(prompt, 3);
        const auto b = engine.submit(prompt, 3);
        engine.step();
        QCOMPARE(engine.members().size(), std::size_t(2));
        QCOMPARE(engine.scheduler().counters().hitTokens, std::uint64_t(0));
        const auto c = engine.submit(prompt, 3);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(c).cachedTokens, 8);
        for (const SequenceId id : {a, b, c})
            QVERIFY(answersRight(engine, id, prompt));
    }

    void tokensThatDifferOnlyInHighBitsShareNothing()
    {
        ToyEngine engine(toyOptions(21));
        const auto prompt = countingPrompt(12);
        auto other = prompt;
        for (TokenId& token : other)
            token |= 1 << 29;
        engine.submit(prompt, 1);
        VERIFY_DRAINED(engine);
        const auto id = engine.submit(other, 3);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).cachedTokens, 0);
        QVERIFY(answersRight(engine, id, other));
    }

    void cancelBeforeTheFirstStep()
    {
        ToyEngine engine(toyOptions());
        const auto id = engine.submit(10, 5);
        QVERIFY(engine.scheduler().cancel(id));
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).reason, EndReason::Aborted);
        QVERIFY(engine.answers().at(id).tokens.empty());
    }

    void cancelWhileTheLastChunkIsInFlight()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumBatchedTokens = 8;
        ToyEngine engine(options);
        const auto id = engine.submit(16, 5);
        engine.step();
        QCOMPARE(engine.pool().totals().activeBlocks(), 4);
        engine.step([&] {
            QVERIFY(engine.scheduler().cancel(id));
            QCOMPARE(engine.pool().totals().activeBlocks(), 4); // the step still writes them
        });
        QCOMPARE(engine.pool().totals().activeBlocks(), 0);
        VERIFY_DRAINED(engine);
        QVERIFY(engine.answers().at(id).tokens.empty());
        QCOMPARE(engine.answers().at(id).reason, EndReason::Aborted);
    }

    void cancelWhileDecodingAndWhilePreempted()
    {
        ToyEngine engine(toyOptions());
        const auto a = engine.submit(10, 20);
        const auto b = engine.submit(10, 20);
        for (int i = 0; i < 4; ++i)
            engine.step();
        QVERIFY(engine.scheduler().cancel(a));
        QVERIFY(engine.scheduler().forcePreemption(b));
        QVERIFY(engine.scheduler().cancel(b));
        QCOMPARE(engine.pool().totals().activeBlocks(), 0);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(a).tokens.size(), std::size_t(4));
        QCOMPARE(engine.answers().at(b).timesEnded, 1);
    }

    void aVictimOfThisStepGivesItsTokensAndBudgetBack()
    {
        SchedulerOptions options = toyOptions();
        options.schedulingPolicy = SchedulingPolicy::Priority;
        options.maxNumSeqs = 2;
        options.maxNumBatchedTokens = 12;
        ToyEngine engine(options);
        engine.submit(4, 20, 1);
        const auto victim = engine.submit(4, 20, 5);
        engine.step();
        const auto urgent = engine.submit(11, 4, 0);
        engine.step(); // the victim's token goes to the urgent one: 1 + 11 = 12
        QVERIFY(isRunning(engine, urgent));
        QVERIFY(!isRunning(engine, victim));
        QCOMPARE(engine.members(), (std::vector<std::pair<std::uint32_t, std::int32_t>>{{1, 1}, {3, 11}}));
        QCOMPARE(eventsOf<event::Preempt>(engine.lastRecord()).at(0).reason, PreemptReason::Priority);
        VERIFY_DRAINED(engine);
    }

    void nobodyIsSkippedWhereVictimsFall()
    {
        ToyEngine engine(toyOptions());
        for (int i = 0; i < 5; ++i)
            engine.submit(8, 16); // two blocks each: ten in all, and each wants a third
        engine.step();
        QCOMPARE(engine.scheduler().running().size(), std::size_t(5));
        engine.step(); // invariant 8: each decode gets its token or is preempted
        QCOMPARE(engine.members().size() + eventsOf<event::Preempt>(engine.lastRecord()).size(),
                 std::size_t(5));
        VERIFY_DRAINED(engine);
    }

    void oneRequestThatGrowsToTheWholePoolEndsWithAReasonAndTheNextIsServed()
    {
        ToyEngine engine(toyOptions());
        const auto big = engine.submit(10);
        const auto next = engine.submit(10, 3);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(big).reason, EndReason::Length);
        QVERIFY(engine.answers().at(big).explanation.has_value());
        QCOMPARE(engine.answers().at(big).tokens.size(), std::size_t(30));
        QCOMPARE(engine.answers().at(next).tokens.size(), std::size_t(3));
    }

    void aPreemptedOneKeepsItsPlaceBeforeLaterArrivals()
    {
        ToyEngine engine(toyOptions());
        engine.submit(16, 12);
        const auto victim = engine.submit(16, 12);
        for (int i = 0; i < 4 && engine.scheduler().counters().preemptions == 0; ++i)
            engine.step();
        for (int i = 0; i < 8 && engine.scheduler().counters().preemptions == 0; ++i)
            engine.step();
        QCOMPARE(engine.scheduler().counters().preemptions, std::uint64_t(1));
        const auto late = engine.submit(4, 2); // would fit at once
        engine.step();
        QVERIFY(!isRunning(engine, late));
        QCOMPARE((*engine.scheduler().waiting().begin())->id, victim);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(victim).preemptions, 1);
    }

    void recomputingAfterAPreemptionIsNoCacheHit()
    {
        ToyEngine engine(toyOptions());
        const auto prompt = countingPrompt(13);
        const auto id = engine.submit(prompt, 12);
        for (int i = 0; i < 5; ++i)
            engine.step();
        engine.scheduler().forcePreemption(id);
        engine.step();
        const auto member = eventsOf<event::Member>(engine.lastRecord()).at(0);
        QCOMPARE(member.kind, MemberKind::Recompute);
        QCOMPARE(member.cached, 16);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.scheduler().counters().hitTokens, std::uint64_t(0));
        QCOMPARE(engine.scheduler().counters().queriedTokens, std::uint64_t(13));
        QCOMPARE(engine.answers().at(id).cachedTokens, 0);
        QVERIFY(answersRight(engine, id, prompt));
    }

    void blocksOutsideTheSlidingWindowAreFreedOnce()
    {
        SchedulerOptions options = toyOptions();
        options.windows = {6};
        ToyEngine engine(options);
        const auto prompt = countingPrompt(18);
        const auto id = engine.submit(prompt, 20);
        engine.step();
        QVERIFY(engine.scheduler().find(id)->blockTable.blocks.front() == kNullBlock);
        QVERIFY(engine.pool().totals().activeBlocks() <= 3);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).tokens, ToyEngine::expectedAnswer(prompt, 20, 0, {6}));
    }

    void contiguousMemorySaysFragmentationAndNotShortage()
    {
        SchedulerOptions options = toyOptions();
        options.allocator = Allocator::ContiguousOracle;
        ToyEngine engine(options);
        std::vector<SequenceId> ids;
        for (int i = 0; i < 5; ++i)
            ids.push_back(engine.submit(4, 4)); // two blocks each
        engine.step();
        engine.scheduler().cancel(ids[1]);
        engine.scheduler().cancel(ids[3]);
        engine.submit(8, 4); // three blocks: four are free, two and two
        engine.step();
        const auto waits = eventsOf<event::Wait>(engine.lastRecord());
        QCOMPARE(waits.size(), std::size_t(1));
        QCOMPARE(waits[0].reason, WaitReason::Fragmentation);
        QCOMPARE(waits[0].need, 3);
        QCOMPARE(waits[0].have, 2);
        VERIFY_DRAINED(engine);
    }
};

QTEST_APPLESS_MAIN(TestBreakages)
#include "test_breakages.moc"
