// SPDX-License-Identifier: GPL-3.0-or-later
// Invariant 11 on the toy model: an answer does not depend on how it was scheduled and stored.
#include "tests/support/toy_checks.h"

#include <functional>

using namespace vitrine;
using namespace vitrine::test;

namespace {

struct Variation {
    const char* name;
    std::function<void(SchedulerOptions&)> change;
    int company = 0;
    int preemptEvery = 0;
};

/// Eight prompts with common beginnings, of lengths around the block and chunk sizes.
std::vector<std::vector<TokenId>> prompts()
{
    std::vector<std::vector<TokenId>> all;
    for (const std::int32_t length : {1, 15, 16, 17, 31, 32, 33, 48})
        all.push_back(countingPrompt(length, 1));
    return all;
}

} // namespace

class TestCounterfactuals : public QObject {
    Q_OBJECT
private slots:
    void answersDoNotDependOnSchedulingAndStorage_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < variations().size(); ++i)
            QTest::newRow(variations()[i].name) << int(i);
    }

    void answersDoNotDependOnSchedulingAndStorage()
    {
        QFETCH(int, row);
        const Variation variation = variations()[std::size_t(row)];
        SchedulerOptions options = toyOptions(61, 16);
        options.maxNumBatchedTokens = 256;
        variation.change(options);
        ToyEngine engine(options);
        std::vector<SequenceId> ids;
        for (const auto& prompt : prompts()) {
            ids.push_back(engine.submit(prompt, 40));
            if (variation.company == 0)
                run(engine, variation);
        }
        run(engine, variation);
        VERIFY_DRAINED(engine);
        for (std::size_t i = 0; i < ids.size(); ++i)
            QCOMPARE(engine.answers().at(ids[i]).tokens, ToyEngine::expectedAnswer(prompts()[i], 40));
    }

private:
    static void run(ToyEngine& engine, const Variation& variation)
    {
        for (int step = 1; engine.scheduler().hasWork() && step < 5000; ++step) {
            if (variation.preemptEvery > 0 && step % variation.preemptEvery == 0 && step < 300 &&
                !engine.scheduler().running().empty())
                engine.scheduler().forcePreemption(engine.scheduler().running().back()->id);
            engine.step();
        }
    }

    static std::vector<Variation> variations()
    {
        using O = SchedulerOptions;
        const auto budget = [](int tokens) { return [=](O& o) { o.maxNumBatchedTokens = tokens; }; };
        const auto blocks = [](int size) {
            return [=](O& o) { o.blockSize = size, o.numBlocks = 60 * 16 / size + 1; };
        };
        const auto allocator = [](Allocator kind) {
            return [=](O& o) { o.allocator = kind, o.maxModelLen = 96; };
        };
        const auto nothing = [](O&) {};
        return {
            {"alone", nothing},
            {"company", nothing, 8},
            {"prefix caching off", [](O& o) { o.enablePrefixCaching = false; }, 8},
            {"chunks of 1", budget(1), 8},
            {"chunks of 15", budget(15), 8},
            {"chunks of 16", budget(16), 8},
            {"chunks of 17", budget(17), 8},
            {"whole prompts", [](O& o) { o.enableChunkedPrefill = false; }, 8},
            {"blocks of 1", blocks(1), 8},
            {"blocks of 8", blocks(8), 8},
            {"blocks of 32", blocks(32), 8},
            {"a small pool", [](O& o) { o.numBlocks = 10; }, 8},
            {"preemption every 3 steps", nothing, 8, 3},
            {"preemption every 3 steps, alone", nothing, 0, 3},
            {"contiguous-max", allocator(Allocator::ContiguousMax), 8},
            {"contiguous-pow2", allocator(Allocator::ContiguousPow2), 8},
            {"contiguous-oracle", allocator(Allocator::ContiguousOracle), 8},
            {"KV cache off", [](O& o) { o.kvCache = false; }, 8},
            {"KV cache off, small budget", [](O& o) { o.kvCache = false, o.maxNumBatchedTokens = 20; }, 8},
            {"static batching", [](O& o) { o.batching = Batching::Static; }, 8}};
    }
};

QTEST_APPLESS_MAIN(TestCounterfactuals)
#include "test_counterfactuals.moc"
