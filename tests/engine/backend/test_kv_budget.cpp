// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/kv_budget.h"

#include <QTest>

using namespace vitrine;

/// What a model's sizes and the room for it make of the scheduler's options.
class KvBudgetTest : public QObject {
    Q_OBJECT
private slots:
    void aPoolBeyondTheMachineIsRefusedByTheMachinesMemory();
    void attendingToManyKeysCostsAToken();
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

QTEST_GUILESS_MAIN(KvBudgetTest)
#include "test_kv_budget.moc"
