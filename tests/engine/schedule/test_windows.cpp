// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences whose layer groups look back differently, through the whole scheduler.
#include "tests/support/toy_checks.h"

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::vector<std::int32_t> kWindows{5, 12, 0};

SchedulerOptions mixedOptions(std::int32_t numBlocks)
{
    SchedulerOptions options = toyOptions(numBlocks);
    options.maxNumBatchedTokens = 8;
    options.windows = kWindows;
    return options;
}

std::vector<TokenId> expected(const std::vector<TokenId>& prompt, std::int32_t tokens)
{
    return ToyEngine::expectedAnswer(prompt, tokens, 0, kWindows);
}

} // namespace

class TestWindows : public QObject {
    Q_OBJECT
private slots:
    /// Blocks of 4, steps of 8 tokens: 12 tokens of a window of 5 touch at most 4 rows, 19 of one of 12 at
    /// most 6, and the group that looks back on all has 50 rows at the end.
    void aLongSequenceHoldsWhatItsWindowsSee()
    {
        ToyEngine engine(mixedOptions(62));
        const auto prompt = countingPrompt(120);
        const auto id = engine.submit(prompt, 80);
        std::int32_t greatest = 0;
        while (engine.scheduler().hasWork()) {
            engine.step([&] { greatest = std::max(greatest, engine.pool().totals().activeBlocks()); });
            if (const Sequence* sequence = engine.scheduler().find(id))
                QVERIFY(engine.pool().totals().activeBlocks() <=
                        engine.scheduler().tableShape().blocksAtMost(sequence->numTokens()));
        }
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.scheduler().tableShape().blocksAtMost(200), std::int64_t(4 + 6 + 50));
        QVERIFY(greatest >= 50 + 2 + 3);
        QVERIFY(greatest <= 60);
        QCOMPARE(engine.answers().at(id).tokens, expected(prompt, 80));
    }

    /// 61 usable blocks are enough for 200 tokens, 59 are not, whatever three whole tables would take.
    void theImpossibleIsJudgedByWhatWindowsHold()
    {
        SequenceSpec spec;
        spec.promptIds = countingPrompt(120);
        spec.maxTokens = 80;
        ToyEngine enough(mixedOptions(61));
        QVERIFY(enough.scheduler().submit(spec));
        VERIFY_DRAINED(enough);
        ToyEngine few(mixedOptions(60));
        const auto refused = few.scheduler().submit(spec);
        QVERIFY(!refused);
        const QString line = QString::fromStdString(refused.error().line());
        QVERIFY2(line.contains("needs 60 blocks of 4, the pool has 59"), qPrintable(line));
        QVERIFY2(line.contains("shorten it to 196 tokens"), qPrintable(line));
    }

    void answersInATinyPoolSurvivePreemption_data()
    {
        QTest::addColumn<bool>("prefixCaching");
        QTest::addColumn<int>("budget");
        for (const bool caching : {false, true})
            for (const int budget : {3, 8, 64})
                QTest::addRow("prefix caching %d, steps of %d", caching, budget) << caching << budget;
    }

    void answersInATinyPoolSurvivePreemption()
    {
        QFETCH(bool, prefixCaching);
        QFETCH(int, budget);
        SchedulerOptions options = mixedOptions(46);
        options.enablePrefixCaching = prefixCaching;
        options.maxNumBatchedTokens = budget;
        ToyEngine engine(options);
        std::map<SequenceId, std::vector<TokenId>> prompts;
        for (const std::int32_t length : {10, 17, 30, 30, 31, 9})
            for (const TokenId first : {1, 500}) {
                const auto prompt = countingPrompt(length, first);
                prompts[engine.submit(prompt, 25)] = prompt;
            }
        VERIFY_DRAINED(engine);
        QVERIFY(engine.scheduler().counters().preemptions > 0);
        QCOMPARE(engine.scheduler().counters().hitTokens > 0, prefixCaching);
        for (const auto& [id, prompt] : prompts)
            QCOMPARE(engine.answers().at(id).tokens, expected(prompt, 25));
    }

    void aConversationFindsItsPrefixAgain()
    {
        ToyEngine engine(mixedOptions(62));
        auto prompt = countingPrompt(60);
        engine.submit(prompt, 20);
        QVERIFY(engine.runDry());
        for (const TokenId token : expected(prompt, 20))
            prompt.push_back(token);
        prompt.push_back(7);
        const auto id = engine.submit(prompt, 10);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(id).cachedTokens, 76); // 79 tokens were stored
        QCOMPARE(engine.answers().at(id).tokens, expected(prompt, 10));
    }

    void severalAnswersShareOnePrompt()
    {
        for (std::int32_t length = 40; length < 50; ++length) {
            ToyEngine engine(mixedOptions(100));
            engine.diverge = true;
            SequenceSpec spec;
            spec.promptIds = countingPrompt(length);
            spec.maxTokens = 9;
            const auto ids = engine.scheduler().submitAnswers(spec, 3);
            QVERIFY(ids);
            VERIFY_DRAINED(engine);
            for (const SequenceId id : *ids)
                QCOMPARE(engine.answers().at(id).tokens,
                         ToyEngine::expectedAnswer(spec.promptIds, 9, std::int32_t(id.value), kWindows));
            // The whole prompt was computed once, but for its last token, or a row where the window was
            // passed.
            const std::uint64_t again = engine.scheduler().counters().prefillTokens - std::uint64_t(length);
            QVERIFY(again <= 2 * 4);
        }
    }

    void contiguousMemoryHoldsEveryGroup()
    {
        for (const Allocator allocator :
             {Allocator::ContiguousMax, Allocator::ContiguousPow2, Allocator::ContiguousOracle}) {
            SchedulerOptions options = mixedOptions(3 * 20 + 1);
            options.allocator = allocator;
            options.maxModelLen = 40;
            ToyEngine engine(options);
            const auto prompt = countingPrompt(20);
            const auto first = engine.submit(prompt, 12);
            const auto second = engine.submit(prompt, 20);
            VERIFY_DRAINED(engine);
            QCOMPARE(engine.answers().at(first).tokens, expected(prompt, 12));
            QCOMPARE(engine.answers().at(second).tokens, expected(prompt, 20));
        }
    }
};

QTEST_APPLESS_MAIN(TestWindows)
#include "test_windows.moc"
