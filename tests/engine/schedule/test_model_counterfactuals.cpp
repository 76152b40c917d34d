// SPDX-License-Identifier: GPL-3.0-or-later
// Invariant 11 on real models: greedy answers are those of the bare model, without scheduler, batch or pool,
// however they are scheduled and stored.
#include "engine/batch_builder.h"
#include "engine/model/layer_groups.h"
#include "engine/schedule/invariants.h"
#include "engine/schedule/scheduler.h"
#include "tests/support/bare_model.h"
#include "tests/support/reference.h"
#include "tests/support/sanitized.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Answers = std::vector<std::vector<TokenId>>;

constexpr std::int32_t kAnswer = 8;
constexpr std::int32_t kLongest = 48 + kAnswer;
constexpr std::int32_t kWholePrompts = 512;
constexpr int kForcedPreemptions = 20; ///< then no more: a chunk of 1 would never come to an end

struct Way {
    SchedulerOptions options;
    bool company = true;
    int preemptEvery = 0;
    std::int32_t sequencesInPool = 8; ///< fewer: they preempt each other
    [[nodiscard]] std::string name() const
    {
        const SchedulerOptions& o = options;
        return "blocks of " + std::to_string(o.blockSize) + ", chunks of " +
               std::to_string(o.maxNumBatchedTokens) + ", allocator " + std::to_string(int(o.allocator)) +
               ", prefix caching " + std::to_string(o.enablePrefixCaching) + ", KV cache " +
               std::to_string(o.kvCache) + ", company " + std::to_string(company) + ", preemption every " +
               std::to_string(preemptEvery) + ", room for " + std::to_string(sequencesInPool);
    }
};

/// Eight prompts of lengths around block and chunk sizes; pairs begin alike.
Answers promptsFor(const Model& model)
{
    Answers prompts;
    for (const std::int32_t length : {1, 15, 16, 17, 31, 32, 33, 48}) {
        std::vector<TokenId>& prompt = prompts.emplace_back();
        for (std::int32_t i = 0; i < length; ++i)
            prompt.push_back((i * 7 + int(prompts.size() / 2) * 13 + 3) % model.spec().vocabSize);
    }
    return prompts;
}

/// Room for so many of the longest sequences; there are eight.
KvCacheShape cacheFor(std::int32_t blockSize, std::int32_t layerGroups = 1, std::int32_t sequences = 8)
{
    const std::int32_t rows = (kLongest + blockSize - 1) / blockSize;
    return {sequences * layerGroups * rows + 1, blockSize, KvCacheDtype::F16};
}

TokenId likeliest(std::span<const float> logits)
{
    return TokenId(std::ranges::max_element(logits) - logits.begin());
}

/// One step as the engine does it.
void step(Scheduler& scheduler, Model& model, Batch& batch)
{
    const StepPlan& plan = scheduler.plan(0);
    for (const BlockId block : plan.freshBlocks)
        model.backend().poisonBlock(block);
    for (const BlockCopy& copy : plan.copies)
        model.backend().copyBlock(copy.source, copy.target);
    std::vector<Outcome> outcomes;
    if (!plan.empty()) {
        buildBatch(plan, scheduler.tableShape(), batch);
        model.forward(batch);
    }
    for (const PlannedMember& member : plan.members) {
        if (!member.samplesNext)
            continue;
        const TokenId next = likeliest(model.logits(std::int32_t(outcomes.size()), 1));
        outcomes.push_back({member.sequence->id, next, std::nullopt});
    }
    scheduler.commit(outcomes, 0);
}

Answers answersTo(const Answers& prompts, Model& model, const Way& way)
{
    StepRecorder recorder(false);
    Scheduler scheduler(way.options, recorder);
    Batch batch;
    Answers answers(prompts.size());
    int steps = 0;
    const auto runOut = [&] {
        while (scheduler.hasWork()) {
            ++steps;
            if (way.preemptEvery > 0 && steps % way.preemptEvery == 0 && !scheduler.running().empty() &&
                steps <= way.preemptEvery * kForcedPreemptions)
                scheduler.forcePreemption(scheduler.running().back()->id);
            step(scheduler, model, batch);
            for (const EndedSequence& ended : scheduler.takeEnded()) {
                const auto output = ended.sequence->outputIds();
                answers[ended.sequence->id.value - 1].assign(output.begin(), output.end());
            }
        }
    };
    for (const std::vector<TokenId>& prompt : prompts) {
        SequenceSpec spec;
        spec.promptIds = prompt;
        spec.maxTokens = kAnswer;
        if (!scheduler.submit(std::move(spec)))
            return {};
        if (!way.company)
            runOut();
    }
    runOut();
    return answers;
}

Way wayOf(std::int32_t blockSize)
{
    Way way;
    way.options.blockSize = blockSize;
    way.options.maxModelLen = kLongest;
    way.options.maxNumBatchedTokens = kWholePrompts;
    return way;
}

/// Where the sequences' keys and values lie, in each mode.
std::vector<Way> storages(std::int32_t blockSize)
{
    std::vector<Way> ways(6, wayOf(blockSize));
    ways[1].options.enablePrefixCaching = false;
    ways[2].options.allocator = Allocator::ContiguousMax;
    ways[3].options.allocator = Allocator::ContiguousPow2;
    ways[4].options.allocator = Allocator::ContiguousOracle;
    ways[5].options.kvCache = false;
    return ways;
}

/// Every combination of storage, chunk, company and preemption.
std::vector<Way> allWays(std::int32_t blockSize)
{
    std::vector<Way> ways;
    for (const Way& storage : storages(blockSize))
        for (const std::int32_t chunk : {1, 15, 16, 17, kWholePrompts})
            for (const bool company : {true, false})
                for (const int preemptEvery : {0, 3}) {
                    Way& way = ways.emplace_back(storage);
                    way.options.maxNumBatchedTokens = chunk;
                    way.company = company;
                    way.preemptEvery = preemptEvery;
                }
    return ways;
}

/// Each choice of each kind at least once; a model of a real size takes too long for all combinations.
std::vector<Way> someWays(std::int32_t blockSize)
{
    std::vector<Way> ways = storages(blockSize);
    if (blockSize != 16)
        ways.pop_back(); // without a KV cache: the slow one
    ways[0].preemptEvery = 3;
    ways[1].options.maxNumBatchedTokens = 15 + blockSize / 16; // 15, 16, 17
    ways[3].preemptEvery = 3;
    ways.push_back(wayOf(blockSize));
    ways.back().company = false;
    ways.back().options.maxNumBatchedTokens = blockSize == 16 ? 1 : kWholePrompts;
    ways.push_back(wayOf(blockSize));
    ways.back().sequencesInPool = 2;
    ways.back().options.maxNumBatchedTokens = 20;
    return ways;
}

} // namespace

class TestModelCounterfactuals : public QObject {
    Q_OBJECT
private slots:
    void answersOfArchitecturesDoNotDependOnSchedulingAndStorage_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* name : {"llama", "llama3", "qwen2", "qwen3", "qwen3moe", "phi3", "gemma2", "gemma3",
                                 "granite", "olmo2", "smollm3"})
            QTest::newRow(name) << architecturePath(QString("%1.gguf").arg(name));
    }
    void answersOfArchitecturesDoNotDependOnSchedulingAndStorage()
    {
        QFETCH(QString, path);
        const bool all =
            path.endsWith("/llama.gguf") && !kSanitized; // the others would add minutes and no cases
        compare(path, all ? allWays : someWays, 1);
    }
    /// Every layer looks back on 12 tokens: blocks go back as the window passes, and other sequences write
    /// over them.
    void answersInAWindowDoNotDependOnBlocksGivenBack()
    {
        constexpr std::int32_t kWindow = 12;
        const auto narrow = [](ModelSpec& spec) {
            for (LayerSpec& layer : spec.layers)
                layer.window = kWindow;
        };
        const auto waysInWindow = [](std::int32_t blockSize) {
            std::vector<Way> ways = someWays(blockSize);
            ways.push_back(ways.front());
            ways.back().options.maxNumBatchedTokens = 7;
            ways.push_back(ways.back());
            ways.back().options.enablePrefixCaching = false;
            return ways;
        };
        compare(VITRINE_TEST_DATA "/arch/llama.gguf", waysInWindow, 1, narrow);
    }
    void answersOfTheStarterModelDoNotDependOnSchedulingAndStorage()
    {
        if (kSanitized)
            QSKIP("too slow under a sanitizer; the small models cover the same code");
        compare(starterModelPath(), someWays, 2);
    }

private:
    static void compare(const QString& path, std::vector<Way> (*waysFor)(std::int32_t), int threads,
                        const std::function<void(ModelSpec&)>& change = {})
    {
        VITRINE_SKIP_WITHOUT(path);
        Result<BareModel> bare = BareModel::open(path.toStdString(), cacheFor(16), threads, change);
        if (!bare)
            QSKIP(bare.error().line().c_str());
        const Answers prompts = promptsFor(bare->model());
        Answers expected;
        for (const std::vector<TokenId>& prompt : prompts)
            expected.push_back(bare->greedy(prompt, kAnswer));
        QVERIFY(std::set(expected.begin(), expected.end()).size() > 4); // else nothing could show
        const std::vector<std::int32_t> windows = groupLayers(bare->model().spec()).windows;
        for (const std::int32_t blockSize : {8, 16, 32}) {
            const KvCacheShape cache = cacheFor(blockSize, std::int32_t(windows.size()));
            QVERIFY(bare->model().backend().allocateKvCache(cache));
            bare->model().backend().poisonBlock(BlockId{0}); // nothing depends on what the null block holds
            for (Way& way : waysFor(blockSize)) {
                way.options.windows = windows;
                way.options.numBlocks =
                    cacheFor(blockSize, std::int32_t(windows.size()), way.sequencesInPool).numBlocks;
                QVERIFY2(answersTo(prompts, bare->model(), way) == expected, way.name().c_str());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestModelCounterfactuals)
#include "test_model_counterfactuals.moc"
