// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/kv_budget.h"
#include "engine/option_limits.h"
#include "engine/schedule/submission.h"

#include <QTest>

using namespace vitrine;

/// What a model's sizes and the room for it make of the scheduler's options.
class KvBudgetTest : public QObject {
    Q_OBJECT
private slots:
    void aPoolBeyondTheMachineIsRefusedByTheMachinesMemory();
    void attendingToManyKeysCostsAToken();
    void aMixedModelNeedsLessForAWholeContext();
    void aPoolWithoutARowIsRefused();
    void onACardAPoolLeavesRoomForLogits();
    void noPoolHasMoreBlocksThanItsBooksMayHave();
};

namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

ModelSpec starterModel()
{
    ModelSpec spec;
    spec.vocabSize = 49152;
    spec.contextLength = 8192;
    spec.embeddingLength = 576;
    spec.layerCount = 30;
    spec.headCount = 9;
    spec.kvHeadCount = 3;
    spec.headDim = 64;
    spec.feedForwardLength = 1536;
    spec.layers.resize(30);
    return spec;
}

/// Gemma 3 of 1 billion parameters: 26 layers, of which 4 look back on all and 22 on 512 tokens.
ModelSpec mixedModel()
{
    ModelSpec spec = starterModel();
    spec.contextLength = 32768;
    spec.embeddingLength = 1152;
    spec.layerCount = 26;
    spec.headCount = 4;
    spec.kvHeadCount = 1;
    spec.headDim = 256;
    spec.layers.assign(26, {.window = 512});
    for (std::size_t layer = 5; layer < 26; layer += 6)
        spec.layers[layer].window = 0;
    return spec;
}

} // namespace

/// The lower limit of the address space is not what the pool was measured by.
void KvBudgetTest::aPoolBeyondTheMachineIsRefusedByTheMachinesMemory()
{
    EngineOptions wanted;
    wanted.kvCacheMib = 8000;
    const auto fitted = fitKvCache(starterModel(), wanted, {4000 * kMib, 2000 * kMib});
    QVERIFY(!fitted);
    const std::string line = fitted.error().line();
    QVERIFY2(line.find("of memory are available") != std::string::npos, line.c_str());
    QVERIFY2(line.find("ulimit") == std::string::npos, line.c_str());
}

/// The figure of docs/engine.md.
void KvBudgetTest::attendingToManyKeysCostsAToken()
{
    const auto fitted = fitKvCache(starterModel(), {}, {4000 * kMib, 0});
    QVERIFY(fitted);
    QCOMPARE(fitted->attentionKeysPerToken, 877);
}

/// A block holds 4 layers: 64 KiB. 2,048 rows of one group, and of six others (512 + 512 - 3) / 16 + 2 each.
void KvBudgetTest::aMixedModelNeedsLessForAWholeContext()
{
    QCOMPARE(kvBlockBytes(mixedModel(), {1, 16, KvCacheDtype::F16}), std::int64_t{64} << 10);
    EngineOptions wanted;
    wanted.scheduler.numBlocks = 2048 + 6 * 65 + 1;
    const auto fitted = fitKvCache(mixedModel(), wanted, {4000 * kMib, 0});
    QVERIFY(fitted);
    QCOMPARE(fitted->windows, (std::vector<std::int32_t>{512, 512, 512, 512, 512, 512, 0}));
    QCOMPARE(fitted->maxModelLen, 32768);
    wanted.scheduler.numBlocks -= 1;
    QCOMPARE(fitKvCache(mixedModel(), wanted, {4000 * kMib, 0})->maxModelLen, 32768 - 16);
    // Chosen freely: at least one context, which in one group would take 832 MiB.
    wanted.scheduler.numBlocks = 0;
    QCOMPARE(fitKvCache(mixedModel(), wanted, {4000 * kMib, 0})->numBlocks, 512 * 16);
}

void KvBudgetTest::aPoolWithoutARowIsRefused()
{
    EngineOptions wanted;
    wanted.scheduler.numBlocks = 7;
    const auto refused = fitKvCache(mixedModel(), wanted, {4000 * kMib, 0});
    QVERIFY(!refused);
    QVERIFY(refused.error().line().find("at least 8 blocks") != std::string::npos);
    wanted.scheduler.numBlocks = 8;
    const auto fitted = fitKvCache(mixedModel(), wanted, {4000 * kMib, 0});
    QVERIFY(fitted);
    QCOMPARE(fitted->maxModelLen, 16);
}

/// 512 rows of activations take 13 MiB there, 64 rows of logits 12 MiB more.
void KvBudgetTest::onACardAPoolLeavesRoomForLogits()
{
    EngineOptions wanted;
    wanted.kvCacheMib = 1000;
    constexpr std::int64_t kReserved = 128;
    QVERIFY(fitKvCache(starterModel(), wanted, {(1000 + kReserved + 20) * kMib, 0, false}).has_value());
    QVERIFY(!fitKvCache(starterModel(), wanted, {(1000 + kReserved + 20) * kMib, 0, true}).has_value());
    QVERIFY(fitKvCache(starterModel(), wanted, {(1000 + kReserved + 28) * kMib, 0, true}).has_value());
}

/// What is chosen from the memory that is free stays below; what is asked for is refused.
void KvBudgetTest::noPoolHasMoreBlocksThanItsBooksMayHave()
{
    EngineOptions wanted;
    wanted.scheduler.blockSize = 1;
    wanted.scheduler.maxNumSeqs = 4096;
    const MemoryRoom vast{std::int64_t{1} << 50, 0, true};
    const Result<SchedulerOptions> fitted = fitKvCache(starterModel(), wanted, vast);
    QVERIFY2(fitted.has_value(), fitted ? "" : fitted.error().line().c_str());
    QCOMPARE(fitted->numBlocks, kMostBlocks);
    wanted.scheduler.numBlocks = kMostBlocks;
    QVERIFY(fitKvCache(starterModel(), wanted, vast).has_value());
    wanted.scheduler.numBlocks = kMostBlocks + 1;
    const Result<SchedulerOptions> refused = fitKvCache(starterModel(), wanted, vast);
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().line().find("at most 4194304 blocks") != std::string::npos,
             refused.error().line().c_str());
}

QTEST_GUILESS_MAIN(KvBudgetTest)
#include "test_kv_budget.moc"
