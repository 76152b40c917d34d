// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/pool_totals.h"

#include <QtTest>

#include <set>
#include <vector>

using namespace vitrine;

class TestPoolTotals : public QObject {
    Q_OBJECT
private slots:
    /// views.md, check 1: sixteen slots in blocks of four; two sequences of 6 and 5 tokens share their first
    /// block.
    void countsSharedSlotsOnce()
    {
        std::vector<BlockState> blocks(5);
        blocks[1] = {.refCount = 2, .filled = 4};
        blocks[2] = {.refCount = 1, .filled = 2};
        blocks[3] = {.refCount = 1, .filled = 1};
        const PoolTotals totals(blocks);
        QCOMPARE(totals.usedSlots(), std::int64_t(7));
        QCOMPARE(totals.activeBlocks(), 3);
        QCOMPARE(totals.sharedBlocks(), 1);
        QCOMPARE(totals.cachedFreeBlocks(), 0);
    }

    void followsEveryChange()
    {
        std::vector<BlockState> blocks(4);
        PoolTotals totals(blocks);
        const BlockState states[] = {{.refCount = 1},
                                     {.refCount = 1, .filled = 3},
                                     {.refCount = 2, .filled = 4, .hashed = true, .hash = 9},
                                     {.refCount = 0, .filled = 4, .hashed = true, .hash = 9},
                                     {}};
        for (const BlockState& next : states) {
            totals.replace(BlockId{2}, blocks[2], next);
            blocks[2] = next;
            QCOMPARE(totals, PoolTotals(blocks));
            PoolSnapshot pool;
            pool.blocks = blocks;
            QCOMPARE(totals.checksum(), poolChecksum(pool));
        }
    }

    void followsTheTables()
    {
        PoolSnapshot pool;
        pool.blocks.resize(4);
        PoolTotals totals(pool.blocks);
        pool.sequences = {{SequenceId{5}, {BlockId{1}, kNullBlock, BlockId{3}}},
                          {SequenceId{6}, {BlockId{1}}}};
        totals.enter(BlockId{1}, SequenceId{5}, 0);
        totals.enter(BlockId{2}, SequenceId{5}, 1);
        totals.enter(BlockId{3}, SequenceId{5}, 2);
        totals.enter(BlockId{1}, SequenceId{6}, 0);
        totals.leave(BlockId{2}, SequenceId{5}, 1);
        QCOMPARE(totals.checksum(), poolChecksum(pool));
        QCOMPARE(totals.tableEntries(), std::int64_t(3));
        QVERIFY(totals.agreeWith(pool.blocks));
        pool.blocks[1].refCount = 2;
        QVERIFY(!totals.agreeWith(pool.blocks));
    }

    void theChecksumSeesEveryOwnerAndEveryPosition()
    {
        std::set<std::uint64_t> sums;
        for (std::uint32_t block = 1; block < 8; ++block)
            for (std::uint32_t sequence = 1; sequence < 8; ++sequence)
                for (std::int32_t position = 0; position < 8; ++position)
                    sums.insert(entryChecksum(BlockId{block}, SequenceId{sequence}, position));
        QCOMPARE(sums.size(), std::size_t(7 * 7 * 8));
    }

    void theChecksumSeesEveryFieldAndEveryPlace()
    {
        const BlockState base{.refCount = 1, .filled = 2, .hashed = true, .hash = 3};
        std::set<std::uint64_t> sums{blockChecksum(BlockId{1}, base), blockChecksum(BlockId{2}, base)};
        for (BlockState other :
             {BlockState{2, 2, true, 3}, BlockState{1, 1, true, 3}, BlockState{1, 2, false, 3},
              BlockState{1, 2, true, 4}, BlockState{2, 1, true, 3}})
            sums.insert(blockChecksum(BlockId{1}, other));
        QCOMPARE(sums.size(), std::size_t(7));
    }
};

QTEST_APPLESS_MAIN(TestPoolTotals)
#include "test_pool_totals.moc"
