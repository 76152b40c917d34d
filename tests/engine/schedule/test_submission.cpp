// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/option_limits.h"
#include "engine/schedule/submission.h"
#include "tests/support/toy_checks.h"

#include <limits>

using namespace vitrine;
using namespace vitrine::test;

namespace {

/// Why a sequence of these lengths is refused, as the user reads it; empty where it is accepted.
QString refusal(const SchedulerOptions& options, std::int32_t prompt, std::int32_t maxTokens)
{
    ToyEngine engine(options);
    SequenceSpec spec;
    spec.promptIds = countingPrompt(prompt);
    spec.maxTokens = maxTokens;
    const auto id = engine.scheduler().submit(std::move(spec));
    return id ? QString() : QString::fromStdString(id.error().line());
}

} // namespace

Q_DECLARE_METATYPE(vitrine::SchedulerOptions)

class TestSubmission : public QObject {
    Q_OBJECT
private slots:
    void theImpossibleIsRefusedWithNumbersAndAdvice()
    {
        const SchedulerOptions options = toyOptions(); // ten usable blocks of four
        QCOMPARE(refusal(options, 20, 20), QString());
        QCOMPARE(refusal(options, 20, 21),
                 QString("num_blocks: prompt 20 + max_tokens 21 tokens needs 11 blocks of 4, the pool has 10 "
                         "(shorten it to 40 tokens in all, or set num_blocks to at least 12)"));
        QCOMPARE(refusal(options, 40, 0), QString());
        QCOMPARE(refusal(options, 41, 0),
                 QString("num_blocks: a prompt of 41 tokens needs 11 blocks of 4, the pool has 10 "
                         "(shorten it to 40 tokens in all, or set num_blocks to at least 12)"));
        QCOMPARE(refusal(options, 0, 5), QString("prompt: the prompt is empty (give at least one token)"));
        QCOMPARE(refusal(options, 5, -1), QString("max_tokens: -1 is negative (0 means as many as fit)"));
        QVERIFY(refusal(options, 5, std::numeric_limits<std::int32_t>::max()).contains("the pool has 10"));
    }

    void theContextIsALimitOfItsOwn()
    {
        SchedulerOptions options = toyOptions();
        options.maxModelLen = 20;
        QCOMPARE(refusal(options, 10, 10), QString());
        QCOMPARE(refusal(options, 19, 0), QString());
        QVERIFY(refusal(options, 10, 11).contains("set max_tokens to at most 10, or 0"));
        QVERIFY(refusal(options, 20, 0).startsWith("max_model_len: "));
        QVERIFY(refusal(options, 20, 0).contains("shorten it to at most 19 tokens"));
    }

    /// Who set the pool's size has set no context.
    void aContextThatIsThePoolsNamesThePool()
    {
        SchedulerOptions options = toyOptions();
        options.maxModelLen = 40; // what its blocks hold
        QCOMPARE(
            refusal(options, 40, 0),
            QString("num_blocks: a prompt of 40 tokens does not fit into a context of 40, for which the KV "
                    "cache has room (shorten it to at most 39 tokens, or give the KV cache more memory)"));
    }

    /// "Shorten it to 0 tokens" is no advice.
    void whereNoPromptFitsItIsSaidSo()
    {
        SchedulerOptions options = toyOptions();
        options.maxModelLen = 1;
        QCOMPARE(refusal(options, 3, 2),
                 QString("max_model_len: a context of 1 token has no room for a prompt and its answer "
                         "(set it to at least 5)"));
        options = toyOptions();
        options.windows = {0, 0}; // two groups: a token needs two blocks
        options.numBlocks = 2;
        QCOMPARE(
            refusal(options, 3, 1),
            QString("num_blocks: prompt 3 + max_tokens 1 tokens needs 2 blocks of 4, the pool has 1: too "
                    "few for any prompt (set num_blocks to at least 3)"));
    }

    void withoutChunksAPromptMustFitTheBudget()
    {
        SchedulerOptions options = toyOptions();
        options.maxNumBatchedTokens = 16;
        QCOMPARE(refusal(options, 17, 1), QString());
        options.enableChunkedPrefill = false;
        QCOMPARE(refusal(options, 16, 1), QString());
        QVERIFY(refusal(options, 17, 1).contains("max_num_batched_tokens"));
    }

    void aContiguousRunMustFitThePool()
    {
        SchedulerOptions options = toyOptions();
        options.allocator = Allocator::ContiguousMax;
        options.maxModelLen = 41;
        QVERIFY(refusal(options, 1, 1).contains("needs 11 blocks"));
        options.allocator = Allocator::ContiguousOracle;
        QCOMPARE(refusal(options, 20, 20), QString());
    }

    void optionsOutOfRangeAreRefusedByName_data()
    {
        QTest::addColumn<SchedulerOptions>("options");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* name, auto member, auto value) {
            SchedulerOptions options = toyOptions();
            options.*member = value;
            QTest::addRow("%s = %g", name, double(value)) << options << QString(name);
        };
        row("block_size", &SchedulerOptions::blockSize, 0);
        row("block_size", &SchedulerOptions::blockSize, kMostBlockSize + 1);
        row("num_blocks", &SchedulerOptions::numBlocks, 1);
        row("num_blocks", &SchedulerOptions::numBlocks, kMostBlocks + 1);
        row("max_num_seqs", &SchedulerOptions::maxNumSeqs, 0);
        row("max_num_batched_tokens", &SchedulerOptions::maxNumBatchedTokens, 0);
        row("max_model_len", &SchedulerOptions::maxModelLen, -1);
        row("attention_keys_per_token", &SchedulerOptions::attentionKeysPerToken, 0);
        row("max_step_stretch", &SchedulerOptions::maxStepStretch, 0.5);
        row("max_step_stretch", &SchedulerOptions::maxStepStretch, std::numeric_limits<double>::quiet_NaN());
        const auto windows = [](const char* name, std::vector<std::int32_t> value) {
            SchedulerOptions options = toyOptions();
            options.windows = std::move(value);
            QTest::addRow("%s: %d of them", name, int(options.windows.size())) << options << QString(name);
        };
        windows("layer groups", {});
        windows("layer groups", std::vector<std::int32_t>(9, 0));
        windows("window", {-1});
        windows("window", {8, 4});
        windows("window", {8, 0, 16});
        row("watermark", &SchedulerOptions::watermark, 1.0);
        row("watermark", &SchedulerOptions::watermark, -0.1);
        row("watermark", &SchedulerOptions::watermark, std::numeric_limits<double>::quiet_NaN());
    }

    void optionsOutOfRangeAreRefusedByName()
    {
        QFETCH(SchedulerOptions, options);
        QFETCH(QString, name);
        const auto result = checkOptions(options);
        QVERIFY(!result);
        QCOMPARE(QString::fromStdString(result.error().where), name);
        QVERIFY(checkOptions(toyOptions()));
    }
};

QTEST_APPLESS_MAIN(TestSubmission)
#include "test_submission.moc"
