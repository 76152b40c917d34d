// SPDX-License-Identifier: GPL-3.0-or-later
// What is in the next step, how long it gets, and how sequences end.
#include "tests/support/toy_checks.h"

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

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
