// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/slot_usage.h"
#include "tests/support/glass_scene.h"
#include "ui/models/free_runs.h"
#include "ui/models/pool_figures.h"
#include "ui/models/pool_mirror.h"

#include <QtTest>

#include <array>
#include <numeric>
#include <random>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

PoolMirror mirrorOf(const StepRecord& record, std::int32_t numBlocks, std::int32_t blockSize)
{
    PoolSnapshot empty;
    empty.blockSize = blockSize;
    empty.blocks.resize(static_cast<std::size_t>(numBlocks));
    for (std::uint32_t block = 1; block < static_cast<std::uint32_t>(numBlocks); ++block)
        empty.freeQueue.push_back(BlockId{block});
    PoolMirror mirror;
    (void)mirror.apply(empty);
    (void)mirror.apply(record); // made by hand, without a checksum
    return mirror;
}

/// Lengths of the runs of free blocks, by address, counted block by block.
std::vector<std::int64_t> countedFreeRuns(const PoolMirror& pool)
{
    std::vector<std::int64_t> runs;
    bool inRun = false;
    for (std::uint32_t block = 1; block < static_cast<std::uint32_t>(pool.numBlocks()); ++block) {
        const bool free = pool.isFree(BlockId{block});
        if (free && inRun)
            ++runs.back();
        else if (free)
            runs.push_back(1);
        inRun = free;
    }
    return runs;
}

/// From the engine's own blocks and tables, without any of its sums.
PoolFigures countedOneByOne(const Scheduler& scheduler)
{
    const BlockPool& pool = scheduler.pool();
    PoolFigures figures{.blockSize = pool.blockSize(), .usableBlocks = pool.numBlocks() - 1};
    for (std::uint32_t id = 1; id < static_cast<std::uint32_t>(pool.numBlocks()); ++id) {
        const BlockState& state = pool.state(BlockId{id});
        const bool active = state.refCount > 0;
        figures.activeBlocks += active;
        figures.sharedBlocks += state.refCount > 1;
        figures.cachedBlocks += !active && state.hashed;
        figures.cleanBlocks += !active && !state.hashed;
        figures.usedSlots += active ? state.filled : 0;
    }
    for (const Sequence* sequence : scheduler.running())
        figures.tableEntries += std::ssize(sequence->blockTable.blocks);
    figures.contiguous = scheduler.options().allocator != Allocator::Paged;
    figures.reservedSlots = slotUsage(scheduler).reserved;
    return figures;
}

} // namespace

class TestPoolFigures : public QObject {
    Q_OBJECT
private slots:
    /// views.md, check 1: S = 16, B = 4; r1 has 6 tokens in blocks 0 and 2; r2 shares block 0 and has 5 in 0
    /// and 3. Our block 0 is the null block, so theirs are one higher here.
    void firstWorkedCheckOfTheViews()
    {
        const SequenceId r1{1};
        const SequenceId r2{2};
        StepRecord record;
        record.step = 1;
        record.events = {event::Alloc{BlockId{1}, r1, 0}, event::Alloc{BlockId{3}, r1, 1},
                         event::Fill{BlockId{1}, 4},      event::Fill{BlockId{3}, 2},
                         event::Share{BlockId{1}, r2, 0}, event::Alloc{BlockId{4}, r2, 1},
                         event::Fill{BlockId{4}, 1}};
        const PoolMirror mirror = mirrorOf(record, 5, 4);
        const PoolFigures figures = poolFigures(mirror);
        QCOMPARE(figures.totalSlots(), 16);
        QCOMPARE(figures.activeBlocks, 3);
        QCOMPARE(figures.usedSlots, 7);
        QCOMPARE(figures.internalSlots(), 5);
        QCOMPARE(figures.freeSlots(), 4);
        QCOMPARE(figures.kvCacheUsage(), 0.75);
        QCOMPARE(figures.tableEntries, 4);
        QCOMPARE(figures.sharedBlocks, 1);
        QCOMPARE(figures.sharingRatio(), 4.0 / 3);
        QCOMPARE(mirror.freeRuns().fragmentation(), 0.0);
        QCOMPARE(slotShares(figures), (SlotShares{7, 0, 5, 4}));
    }

    /// views.md, check 2: contiguous, free runs 2 + 1 + 3.
    void secondWorkedCheckOfTheViews()
    {
        const std::array<std::int64_t, 3> runs{2, 1, 3};
        QCOMPARE(unusableFree(runs, 4), 1.0);
        QCOMPARE(unusableFree(runs, 2), 1.0 / 3);
        QCOMPARE(unusableFree(runs, 1), 0.0);
        QCOMPARE(fragmentation(runs), 0.5);
        QCOMPARE(fragmentation({}), 0.0);
        QCOMPARE(unusableFree({}, 4), 0.0);
    }

    void contiguousSharesAddUpToAllSlots()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 100; ++round) {
            std::vector<ContiguousGrant> grants;
            std::int64_t granted = 0;
            for (unsigned i = random() % 8; i > 0; --i) {
                const std::int64_t written = random() % 50;
                const std::int64_t final = written + random() % 50;
                grants.push_back({final + static_cast<std::int64_t>(random() % 50), written, final});
                granted += grants.back().granted;
            }
            const SlotShares shares = slotShares(grants, 2000);
            QCOMPARE(shares.used + shares.reserved + shares.internal + shares.free, 2000);
            QCOMPARE(shares.free, 2000 - granted);
        }
    }

    void freeRunsKeptBlockByBlockAreThoseCountedAtOnce()
    {
        for (const Allocator allocator : {Allocator::Paged, Allocator::ContiguousPow2}) {
            SchedulerOptions options;
            options.allocator = allocator;
            options.maxModelLen = 300;
            options.numBlocks = 90;
            GlassScene scene(options, 5);
            std::mt19937 random(5);
            for (int i = 0; i < 500; ++i) {
                if (random() % 9 == 0)
                    scene.ask(1, 1 + static_cast<int>(random() % 150), 1 + static_cast<int>(random() % 80));
                scene.advance(1, 1);
                const PoolMirror& pool = scene.glass().pool();
                const FreeRuns& runs = pool.freeRuns();
                const auto counted = countedFreeRuns(pool);
                QCOMPARE(runs.lengths(), counted);
                QCOMPARE(runs.free(), qint64{scene.glass().figures().freeBlocks()});
                QCOMPARE(runs.fragmentation(), fragmentation(counted));
                const auto histogram = runs.histogram();
                QCOMPARE(std::accumulate(histogram.begin(), histogram.end(), qint64{0}), runs.count());
            }
        }
    }

    void figuresEqualThePoolsOwnAtEveryStep_data()
    {
        QTest::addColumn<int>("allocator");
        QTest::newRow("paged") << static_cast<int>(Allocator::Paged);
        QTest::newRow("contiguous, greatest length") << static_cast<int>(Allocator::ContiguousMax);
        QTest::newRow("contiguous, power of two") << static_cast<int>(Allocator::ContiguousPow2);
        QTest::newRow("contiguous, known length") << static_cast<int>(Allocator::ContiguousOracle);
    }

    void figuresEqualThePoolsOwnAtEveryStep()
    {
        QFETCH(int, allocator);
        const SchedulerOptions options = smallPool(static_cast<Allocator>(allocator));
        GlassScene scene(options, 3);
        std::mt19937 random(3);
        std::int64_t reserved = 0;
        for (int i = 0; i < 600; ++i) {
            stepAtRandom(scene, random);
            const PoolFigures& figures = scene.glass().figures();
            const Scheduler& scheduler = scene.engine().scheduler();
            QCOMPARE(figures, countedOneByOne(scheduler));
            const SlotUsage usage = slotUsage(scheduler);
            const SlotShares shares = slotShares(figures);
            QCOMPARE(shares, (SlotShares{usage.used, usage.reserved, usage.internal, usage.free}));
            QCOMPARE(shares.used + shares.reserved + shares.internal + shares.free, figures.totalSlots());
            reserved += shares.reserved;
            PoolMirror again; // from the mirror's own snapshot
            QVERIFY(again.apply(scene.glass().pool().snapshot()));
            QCOMPARE(poolFigures(again), figures);
            QVERIFY(!scene.glass().health().mismatchStep);
        }
        QCOMPARE(reserved > 0, options.allocator != Allocator::Paged);
    }
};

QTEST_GUILESS_MAIN(TestPoolFigures)
#include "test_pool_figures.moc"
