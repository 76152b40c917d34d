// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences with one prompt: by the prefix cache, and as answers to one request.
#include "tests/support/toy_checks.h"

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

class TestSharedPrompts : public QObject {
    Q_OBJECT
private slots:
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
};

QTEST_APPLESS_MAIN(TestSharedPrompts)
#include "test_shared_prompts.moc"
