// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/table_shape.h"

#include <QtTest>

using namespace vitrine;

namespace {

/// Blocks of 4 tokens, 10 tokens a step.
TableShape shapeOf(std::vector<std::int32_t> windows, Allocator allocator = Allocator::Paged,
                   bool kvCache = true)
{
    SchedulerOptions options;
    options.blockSize = 4;
    options.maxNumBatchedTokens = 10;
    options.windows = std::move(windows);
    options.allocator = allocator;
    options.kvCache = kvCache;
    return TableShape(options);
}

} // namespace

class TestTableShape : public QObject {
    Q_OBJECT
private slots:
    void aRowHasAnEntryForEachGroup()
    {
        const TableShape shape = shapeOf({6, 0});
        QCOMPARE(shape.position(3, 1), 7);
        QCOMPARE(shape.rowOf(7), 3);
        QCOMPARE(shape.groupOf(7), 1);
        QCOMPARE(shape.rowsFor(0), 0);
        QCOMPARE(shape.rowsFor(8), 2);
        QCOMPARE(shape.rowsFor(9), 3);
    }

    /// Of a window of 6, the token at 13 sees 8 … 13: two rows are passed.
    void theFirstRowIsThatOfTheOldestKeySeen()
    {
        const TableShape shape = shapeOf({6, 0});
        QCOMPARE(shape.firstRow(0, 0), 0);
        QCOMPARE(shape.firstRow(0, 8), 0); // sees 3
        QCOMPARE(shape.firstRow(0, 9), 1); // sees 4
        QCOMPARE(shape.firstRow(0, 13), 2);
        QCOMPARE(shape.firstRow(1, 13), 0);
        QCOMPARE(shapeOf({1}).firstRow(0, 8), 2); // itself alone
    }

    /// A window of 6 and a step of 10 tokens.
    void aWindowReachesAStepAhead()
    {
        const TableShape shape = shapeOf({6, 0});
        QCOMPARE(shape.reach(0, 100, 0), 15); // as much at once as ever
        QCOMPARE(shape.reach(0, 100, 5), 15);
        QCOMPARE(shape.reach(0, 100, 40), 50);
        QCOMPARE(shape.reach(0, 12, 0), 12);
        QCOMPARE(shape.reach(1, 100, 0), 100);
        QCOMPARE(shape.blocksFor(100), std::int64_t(4 + 25));
    }

    /// 15 tokens touch at most 5 rows of 4, and so they do.
    void whatAWindowHoldsIsBounded()
    {
        const TableShape shape = shapeOf({6, 0});
        QCOMPARE(shape.rowsAtMost(0, 1000), std::int64_t(5));
        QCOMPARE(shape.rowsAtMost(0, 9), std::int64_t(3));
        QCOMPARE(shape.rowsAtMost(1, 1000), std::int64_t(250));
        QCOMPARE(shape.blocksAtMost(1000), std::int64_t(255));
        std::int32_t greatest = 0;
        for (std::int32_t computed = 0; computed < 1000; ++computed)
            greatest = std::max(greatest, shape.endRow(0, 1000, computed) - shape.firstRow(0, computed));
        QCOMPARE(greatest, 5);
    }

    void theLongestSequenceIsTheLastThatFits_data()
    {
        QTest::addColumn<std::vector<std::int32_t>>("windows");
        QTest::newRow("all") << std::vector<std::int32_t>{0};
        QTest::newRow("window and all") << std::vector<std::int32_t>{6, 0};
        QTest::newRow("two windows and all, twice") << std::vector<std::int32_t>{3, 12, 0, 0};
    }

    void theLongestSequenceIsTheLastThatFits()
    {
        QFETCH(std::vector<std::int32_t>, windows);
        const TableShape shape = shapeOf(windows);
        for (std::int64_t blocks = 0; blocks < 60; ++blocks) {
            const std::int32_t tokens = shape.tokensWithin(blocks);
            QVERIFY(shape.blocksAtMost(tokens) <= blocks);
            QVERIFY(shape.blocksAtMost(tokens + 1) > blocks);
        }
    }

    void windowsAloneHaveNoLongestSequence()
    {
        QVERIFY(shapeOf({6}).tokensWithin(5) > 2'000'000'000);
        QCOMPARE(shapeOf({6}).tokensWithin(4), 16);
    }

    void windowsDoNotCountWhereNoBlockGoesBack()
    {
        for (const TableShape& shape :
             {shapeOf({6, 0}, Allocator::ContiguousMax), shapeOf({6, 0}, Allocator::Paged, false)}) {
            QCOMPARE(shape.firstRow(0, 100), 0);
            QCOMPARE(shape.blocksAtMost(1000), std::int64_t(500));
            QVERIFY(!shape.hasWindow(0));
        }
    }
};

QTEST_APPLESS_MAIN(TestTableShape)
#include "test_table_shape.moc"
