// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/attention_items.h"

#include <QTest>

#include <bit>
#include <map>
#include <set>

using namespace vitrine;
using kernels::cuda::AttentionItem;
using kernels::cuda::AttentionMerge;

/// However a batch is cut: every query head of every row meets every key that it may see exactly once.
class AttentionItemsTest : public QObject {
    Q_OBJECT
private slots:
    void everyRowMeetsEveryKeyOnce_data();
    void everyRowMeetsEveryKeyOnce();
    void longContextsAreSplitWhereTheCardWouldBeIdle();
    void paddingDoesNothing();
};

namespace {

ModelSpec specOf(std::int32_t heads, std::int32_t kvHeads)
{
    ModelSpec spec;
    spec.headCount = heads;
    spec.kvHeadCount = kvHeads;
    return spec;
}

/// Sequences by what was computed before and the rows of this batch.
Batch batchOf(const std::vector<std::pair<std::int32_t, std::int32_t>>& sequences)
{
    Batch batch;
    batch.sequenceOffsets = {0};
    batch.blockTableOffsets = {0};
    for (const auto& [before, rows] : sequences) {
        for (std::int32_t row = 0; row < rows; ++row) {
            batch.tokens.push_back(0);
            batch.positions.push_back(before + row);
        }
        batch.sequenceOffsets.push_back(batch.tokenCount());
        batch.blockTableOffsets.push_back(batch.blockTableOffsets.back() + 100);
    }
    return batch;
}

} // namespace

void AttentionItemsTest::everyRowMeetsEveryKeyOnce_data()
{
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("kvHeads");
    QTest::addColumn<int>("wantedBlocks");
    QTest::newRow("one head a kv head") << 4 << 4 << 1;
    QTest::newRow("a group of three") << 6 << 2 << 1;
    QTest::newRow("more heads than an item has room for") << 20 << 1 << 1;
    QTest::newRow("split") << 8 << 2 << 100;
    QTest::newRow("split as far as it goes") << 8 << 2 << 100000;
}

void AttentionItemsTest::everyRowMeetsEveryKeyOnce()
{
    QFETCH(int, heads);
    QFETCH(int, kvHeads);
    QFETCH(int, wantedBlocks);
    const Batch batch = batchOf({{0, 1}, {700, 40}, {2000, 1}, {256, 1}, {255, 1}});
    AttentionItems plan;
    plan.build(batch, specOf(heads, kvHeads), wantedBlocks);
    std::map<std::pair<int, int>, std::vector<int>> ends; // of (row, head): keys come in order, without a gap
    std::set<int> partials;
    for (const AttentionItem& item : plan.items) {
        QVERIFY(item.rows * item.heads >= 1 && item.rows * item.heads <= plan.itemQueries);
        QVERIFY(plan.itemQueries <= kernels::cuda::kMaxQueries);
        for (int q = 0; q < item.rows * item.heads; ++q) {
            const int row = item.row + q / item.heads;
            std::vector<int>& parts = ends[{row, item.firstHead + q % item.heads}];
            QCOMPARE(item.begin, parts.empty() ? 0 : parts.back());
            QVERIFY(item.end > item.begin);
            parts.push_back(item.end);
            if (item.partial >= 0)
                QVERIFY(item.partial + q < plan.partialRows && partials.insert(item.partial + q).second);
            QCOMPARE(batch.positions[static_cast<std::size_t>(item.row)], item.position);
        }
    }
    QCOMPARE(ends.size(), batch.tokens.size() * static_cast<std::size_t>(heads / kvHeads));
    for (const auto& [query, parts] : ends)
        QVERIFY(parts.back() > batch.positions[static_cast<std::size_t>(query.first)]);
    QCOMPARE(static_cast<std::int32_t>(partials.size()), plan.partialRows);
    std::int32_t merged = 0;
    for (const AttentionMerge& merge : plan.merges) {
        QCOMPARE(merge.partial, merged);
        merged += merge.parts * merge.rows * merge.heads;
    }
    QCOMPARE(merged, plan.partialRows);
}

void AttentionItemsTest::longContextsAreSplitWhereTheCardWouldBeIdle()
{
    AttentionItems plan;
    plan.build(batchOf({{4095, 1}}), specOf(32, 8), 528);
    QCOMPARE(plan.items.size(), std::size_t{4096 / kKeysPerPart});
    QCOMPARE(plan.merges.size(), std::size_t{1});
    std::vector<std::pair<std::int32_t, std::int32_t>> many(64, {4095, 1});
    plan.build(batchOf(many), specOf(32, 8), 528);
    QCOMPARE(plan.items.size(), std::size_t{64});
    QVERIFY(plan.merges.empty());
}

void AttentionItemsTest::paddingDoesNothing()
{
    AttentionItems plan;
    plan.build(batchOf({{700, 1}, {900, 1}, {1000, 1}}), specOf(8, 2), 100);
    const AttentionItems before = plan;
    plan.pad();
    QVERIFY(std::has_single_bit(plan.items.size()) && plan.items.size() >= before.items.size());
    QVERIFY(std::has_single_bit(plan.merges.size()) && plan.merges.size() > before.merges.size());
    for (std::size_t i = before.items.size(); i < plan.items.size(); ++i)
        QCOMPARE(plan.items[i].rows, 0);
    for (std::size_t i = before.merges.size(); i < plan.merges.size(); ++i)
        QCOMPARE(plan.merges[i].rows, 0);
    QCOMPARE(plan.partialRows, before.partialRows);
}

QTEST_GUILESS_MAIN(AttentionItemsTest)
#include "test_attention_items.moc"
