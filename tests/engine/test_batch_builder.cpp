// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/batch_builder.h"

#include <QtTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace vitrine;

namespace {

/// Blocks of 4 tokens, steps of 10, a group with a window of 6 and one that looks back on all.
TableShape mixedShape()
{
    SchedulerOptions options;
    options.blockSize = 4;
    options.maxNumBatchedTokens = 10;
    options.windows = {6, 0};
    return TableShape(options);
}

} // namespace

class TestBatchBuilder : public QObject {
    Q_OBJECT
private slots:
    void aTokenHasASlotInEachGroup()
    {
        std::vector<TokenId> tokens(11);
        std::iota(tokens.begin(), tokens.end(), 100);
        const std::vector<BlockId> table{{1}, {2}, {3}, {4}, {5}, {6}};
        Batch batch;
        appendToBatch(tokens, table, 0, 2, mixedShape(), batch);
        appendToBatch(tokens, table, 7, 9, mixedShape(), batch);
        QCOMPARE(batch.tokens, (std::vector<TokenId>{100, 101, 107, 108}));
        QCOMPARE(batch.positions, (std::vector<std::int32_t>{0, 1, 7, 8}));
        QCOMPARE(batch.slotMapping, (std::vector<std::int64_t>{4, 8, 5, 9, 15, 19, 20, 24}));
        QCOMPARE(batch.sequenceOffsets, (std::vector<std::int32_t>{0, 2, 4}));
        QCOMPARE(batch.blockTableOffsets, (std::vector<std::int32_t>{0, 6, 12}));
        batch.clear();
        QCOMPARE(batch.sequenceCount(), 0);
    }

    /// In each step the rows that a group's layers look at, and those that the step writes, are in blocks of
    /// their own, and the pool need not be larger than such a sequence holds at most.
    void theOnlyTableKeepsApartWhatIsLookedAt()
    {
        constexpr std::int32_t kMost = 90;
        const TableShape shape = mixedShape();
        const std::vector<BlockId> whole = onlyTable(shape, kMost, kMost);
        for (std::int32_t end = 10; end <= kMost; end += 10) {
            const std::vector<BlockId> table = onlyTable(shape, end, kMost);
            QVERIFY(std::ranges::equal(table, std::span(whole).first(table.size())));
            std::set<std::uint32_t> seen;
            std::size_t entries = 0;
            for (std::int32_t i = 0; i < std::int32_t(table.size()); ++i)
                if (shape.rowOf(i) >= shape.firstRow(shape.groupOf(i), end - 10)) {
                    seen.insert(table[std::size_t(i)].value);
                    ++entries;
                }
            QCOMPARE(seen.size(), entries);
            QVERIFY(*seen.begin() >= 1 && *seen.rbegin() <= shape.blocksAtMost(kMost));
        }
    }
};

QTEST_APPLESS_MAIN(TestBatchBuilder)
#include "test_batch_builder.moc"
