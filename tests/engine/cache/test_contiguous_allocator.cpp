// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/contiguous_allocator.h"

#include <QtTest>

#include <numeric>

using namespace vitrine;

namespace {

/// Ten usable blocks of four tokens, max_model_len 16.
struct Fixture {
    explicit Fixture(Allocator kind)
        : allocator(pool, shape(), kind, 16)
    {
    }

    static TableShape shape()
    {
        SchedulerOptions options;
        options.blockSize = 4;
        return TableShape(options);
    }

    KvGrant admit(BlockTable& table, std::int32_t prompt, std::int32_t answer)
    {
        const std::vector<TokenId> tokens(std::size_t(prompt), 1);
        return allocator.admit(table, {tokens, prompt, answer}, 0);
    }

    StepRecorder recorder;
    BlockPool pool{11, 4, recorder};
    ContiguousAllocator allocator;
};

} // namespace

class TestContiguousAllocator : public QObject {
    Q_OBJECT
private slots:
    void grantsARunByItsKind_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("answer");
        QTest::addColumn<int>("blocks");
        QTest::newRow("max") << int(Allocator::ContiguousMax) << 1 << 4;
        QTest::newRow("pow2: 3 + 8") << int(Allocator::ContiguousPow2) << 5 << 3;
        QTest::newRow("pow2 exact: 3 + 4") << int(Allocator::ContiguousPow2) << 4 << 2;
        QTest::newRow("pow2 ends at the context") << int(Allocator::ContiguousPow2) << 9 << 4;
        QTest::newRow("oracle: 3 + 5") << int(Allocator::ContiguousOracle) << 5 << 2;
        QTest::newRow("oracle that is not told") << int(Allocator::ContiguousOracle) << 0 << 4;
    }

    void grantsARunByItsKind()
    {
        QFETCH(int, kind);
        QFETCH(int, answer);
        QFETCH(int, blocks);
        Fixture f{Allocator(kind)};
        BlockTable table{.sequence = SequenceId{1}};
        QVERIFY(f.admit(table, 3, answer).granted);
        QCOMPARE(int(table.blocks.size()), blocks);
        QCOMPARE(f.allocator.blocksAtMost({{}, 3, answer}), std::int64_t(blocks));
        for (std::size_t i = 1; i < table.blocks.size(); ++i)
            QCOMPARE(table.blocks[i].value, table.blocks[i - 1].value + 1);
        QVERIFY(f.allocator.grow(table, std::min(blocks * 4, 3 + answer), 3));
        f.allocator.release(table);
        QCOMPARE(f.allocator.longestRun(), 10);
        QVERIFY(f.pool.findFaults().empty());
    }

    void takesTheFirstRunThatFits()
    {
        Fixture f(Allocator::ContiguousOracle);
        std::vector<BlockTable> tables(4);
        for (std::uint32_t i = 0; i < 4; ++i) {
            tables[i].sequence = SequenceId{i + 1};
            QVERIFY(f.admit(tables[i], 6, 2).granted); // blocks 1-2, 3-4, 5-6, 7-8
        }
        f.allocator.release(tables[2]);
        f.allocator.release(tables[0]);
        BlockTable table{.sequence = SequenceId{9}};
        QVERIFY(f.admit(table, 6, 2).granted);
        QCOMPARE(table.blocks.front(), BlockId{1});
    }

    void enoughFreeSlotsWithoutARunIsFragmentation()
    {
        Fixture f(Allocator::ContiguousOracle);
        std::vector<BlockTable> tables(5);
        for (std::uint32_t i = 0; i < 5; ++i) {
            tables[i].sequence = SequenceId{i + 1};
            QVERIFY(f.admit(tables[i], 6, 2).granted);
        }
        f.allocator.release(tables[1]);
        f.allocator.release(tables[3]);
        BlockTable table{.sequence = SequenceId{9}};
        const KvGrant grant = f.admit(table, 6, 5);
        QVERIFY(!grant.granted);
        QCOMPARE(grant.reason, WaitReason::Fragmentation);
        QCOMPARE(grant.needBlocks, 3);
        QCOMPARE(grant.haveBlocks, 2);
        const KvGrant tooMuch = f.admit(table, 10, 10);
        QCOMPARE(tooMuch.reason, WaitReason::Capacity);
        QVERIFY(table.blocks.empty());
        f.allocator.release(tables[2]);
        QCOMPARE(f.allocator.longestRun(), 6);
        QVERIFY(f.admit(table, 6, 5).granted);
        QVERIFY(f.pool.findFaults().empty());
    }
};

QTEST_APPLESS_MAIN(TestContiguousAllocator)
#include "test_contiguous_allocator.moc"
