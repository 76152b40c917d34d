// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/paged_allocator.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace vitrine;

namespace {

std::uint64_t constantHash(std::uint64_t, std::span<const TokenId>, std::uint64_t)
{
    return 7;
}

std::vector<TokenId> counting(std::int32_t length, TokenId first = 1)
{
    std::vector<TokenId> tokens(static_cast<std::size_t>(length));
    std::iota(tokens.begin(), tokens.end(), first);
    return tokens;
}

/// Ten usable blocks of four tokens.
struct Fixture {
    explicit Fixture(BlockHash hash = hashBlock, const std::vector<std::int32_t>& windows = {0},
                     std::int32_t numBlocks = 11, std::int32_t stepTokens = 40)
        : pool(numBlocks, 4, recorder)
        , allocator(pool, shapeOf(windows, stepTokens), hash)
    {
    }

    static TableShape shapeOf(const std::vector<std::int32_t>& windows, std::int32_t stepTokens)
    {
        SchedulerOptions options;
        options.blockSize = 4;
        options.maxNumBatchedTokens = stepTokens;
        options.windows = windows;
        return TableShape(options);
    }

    KvGrant admit(BlockTable& table, const std::vector<TokenId>& tokens, std::int32_t keepFree = 0)
    {
        return allocator.admit(table, {tokens, std::int32_t(tokens.size()), 0}, keepFree);
    }

    /// Admits, computes and releases: the full blocks stay behind in the cache.
    void leaveInCache(const std::vector<TokenId>& tokens, SequenceId sequence = SequenceId{99})
    {
        BlockTable table{.sequence = sequence};
        const KvGrant grant = admit(table, tokens);
        Q_ASSERT(grant.granted);
        allocator.written(table, tokens, grant.cachedTokens,
                          std::int32_t(tokens.size()) - grant.cachedTokens);
        allocator.release(table);
    }

    [[nodiscard]] bool sound() const { return pool.findFaults().empty(); }

    StepRecorder recorder;
    BlockPool pool;
    PagedAllocator allocator;
};

} // namespace

class TestPagedAllocator : public QObject {
    Q_OBJECT
private slots:
    void grantsTheWholePromptAtOnce()
    {
        Fixture f;
        BlockTable table{.sequence = SequenceId{1}};
        const KvGrant grant = f.admit(table, counting(9));
        QVERIFY(grant.granted);
        QCOMPARE(table.blocks.size(), std::size_t(3));
        QCOMPARE(table.grantedTokens, 9);
        QCOMPARE(grant.cachedTokens, 0);
    }

    void aRefusalChangesNothing()
    {
        Fixture f;
        const auto shared = counting(8);
        f.leaveInCache(shared);
        BlockTable other{.sequence = SequenceId{1}};
        QVERIFY(f.admit(other, counting(28, 500)).granted);
        const PoolSnapshot before = f.pool.snapshot();

        BlockTable table{.sequence = SequenceId{2}};
        const KvGrant grant = f.admit(table, counting(16));
        QVERIFY(!grant.granted);
        QCOMPARE(grant.needBlocks, 4); // two hits in the free queue, two new ones
        QCOMPARE(grant.haveBlocks, 3);
        QVERIFY(table.blocks.empty());
        QCOMPARE(f.pool.snapshot().blocks, before.blocks);
        QCOMPARE(f.pool.snapshot().freeQueue, before.freeQueue);
        QVERIFY(!f.allocator.grow(other, 60, 28));
        QCOMPARE(f.pool.snapshot().blocks, before.blocks);
    }

    void keepsTheWatermarkFree()
    {
        Fixture f;
        BlockTable table{.sequence = SequenceId{1}};
        QVERIFY(!f.admit(table, counting(36), 2).granted);
        QVERIFY(f.admit(table, counting(32), 2).granted);
    }

    void sharesWhatIsEqualFromTheStart()
    {
        Fixture f;
        f.leaveInCache(counting(12));
        BlockTable table{.sequence = SequenceId{1}};
        auto tokens = counting(14);
        tokens[9] = 777; // in the third block
        QCOMPARE(f.admit(table, tokens).cachedTokens, 8);
        QVERIFY(f.sound());
    }

    void aHitLeavesSomethingToCompute()
    {
        Fixture f;
        f.leaveInCache(counting(12));
        BlockTable table{.sequence = SequenceId{1}};
        QCOMPARE(f.admit(table, counting(12)).cachedTokens, 8);
        BlockTable longer{.sequence = SequenceId{2}};
        QCOMPARE(f.admit(longer, counting(13)).cachedTokens, 12);
    }

    void itsOwnHitsAreNotEvictedByItsAllocation()
    {
        Fixture f;
        f.leaveInCache(counting(40)); // the whole pool is cached-free now
        QCOMPARE(f.pool.totals().cachedFreeBlocks(), 10);
        auto tokens = counting(40);
        tokens[39] = 777;
        BlockTable table{.sequence = SequenceId{1}};
        const KvGrant grant = f.admit(table, tokens);
        QVERIFY(grant.granted);
        QCOMPARE(grant.cachedTokens, 36);
        auto blocks = table.blocks;
        std::ranges::sort(blocks);
        QVERIFY(std::ranges::adjacent_find(blocks) == blocks.end());
        QVERIFY(f.sound());
    }

    void tokensThatDifferInHighBitsAreDifferent()
    {
        Fixture f;
        f.leaveInCache(counting(8, 5));
        BlockTable table{.sequence = SequenceId{1}};
        auto tokens = counting(9, 5);
        tokens[2] |= 1 << 30;
        QCOMPARE(f.admit(table, tokens).cachedTokens, 0);
    }

    void aCollisionIsAMiss()
    {
        Fixture f(constantHash);
        f.leaveInCache(counting(8));
        BlockTable table{.sequence = SequenceId{1}};
        QCOMPARE(f.admit(table, counting(9, 500)).cachedTokens, 0);
        f.allocator.written(table, counting(9, 500), 0, 9);
        QVERIFY(f.sound());
    }

    void equalTokensBehindAnotherPrefixAreDifferent()
    {
        Fixture f(constantHash);
        auto tokens = counting(8);
        f.leaveInCache(tokens);
        // The second block alone, as the first block of a prompt.
        const std::vector<TokenId> tail(tokens.begin() + 4, tokens.end());
        BlockTable table{.sequence = SequenceId{1}};
        auto prompt = tail;
        prompt.push_back(1);
        QCOMPARE(f.admit(table, prompt).cachedTokens, 0);
    }

    void saltsKeepCachesApart_data()
    {
        QTest::addColumn<bool>("collide");
        QTest::newRow("by their hashes") << false;
        QTest::newRow("by comparison") << true;
    }

    void saltsKeepCachesApart()
    {
        QFETCH(bool, collide);
        Fixture f(collide ? constantHash : hashBlock);
        f.leaveInCache(counting(8));
        BlockTable table{.sequence = SequenceId{1}, .extraKey = 5};
        QCOMPARE(f.admit(table, counting(9)).cachedTokens, 0);
        f.allocator.written(table, counting(9), 0, 9);
        BlockTable again{.sequence = SequenceId{2}, .extraKey = 5};
        // Under one hash only the newest block is found, and a chain starts with its first.
        QCOMPARE(f.admit(again, counting(9)).cachedTokens, collide ? 0 : 8);
    }

    void aPrefixComputedAnewLeadsToItsContinuationAgain()
    {
        Fixture f;
        f.leaveInCache(counting(12));
        // Nine blocks in use: the continuation goes, then the middle; the first block may stay or go.
        f.leaveInCache(counting(40, 500));
        f.leaveInCache(counting(12));
        BlockTable table{.sequence = SequenceId{1}};
        QCOMPARE(f.admit(table, counting(13)).cachedTokens, 12);
    }

    void withoutAHashNothingIsCached()
    {
        Fixture f(nullptr);
        f.leaveInCache(counting(12));
        BlockTable table{.sequence = SequenceId{1}};
        QCOMPARE(f.admit(table, counting(12)).cachedTokens, 0);
        QCOMPARE(f.pool.totals().cachedFreeBlocks(), 0);
    }

    void aForkSharesAllAndCopiesTheTailBeforeItWrites()
    {
        Fixture f;
        const auto tokens = counting(10);
        BlockTable leader{.sequence = SequenceId{1}};
        QVERIFY(f.admit(leader, tokens).granted);
        f.allocator.written(leader, tokens, 0, 10);

        BlockTable fork{.sequence = SequenceId{2}};
        QVERIFY(f.allocator.fork(fork, leader, 9, 10, 0).granted);
        QCOMPARE(fork.blocks, leader.blocks);
        const auto copies = f.allocator.copyOnWrite(fork, 9);
        QCOMPARE(copies.size(), std::size_t(1));
        const KvCopy copy = copies.front();
        QCOMPARE(copy.source, leader.blocks[2]);
        QCOMPARE(copy.target, fork.blocks[2]);
        QCOMPARE(copy.slotCount, 1);
        QCOMPARE(f.pool.state(copy.source).refCount, 2); // held until the copy has run
        QCOMPARE(copy.position, 2);
        f.pool.free(copy.source, fork.sequence, copy.position);
        QVERIFY(f.allocator.copyOnWrite(fork, 9).empty());
        QVERIFY(f.allocator.copyOnWrite(leader, 10).empty());
        f.allocator.written(fork, tokens, 9, 1);
        f.allocator.release(leader);
        f.allocator.release(fork);
        QVERIFY(f.sound());
        QCOMPARE(f.pool.totals().activeBlocks(), 0);
    }

    void aForkThatDoesNotFitChangesNothing()
    {
        Fixture f;
        const auto tokens = counting(38);
        BlockTable leader{.sequence = SequenceId{1}};
        QVERIFY(f.admit(leader, tokens).granted);
        f.allocator.written(leader, tokens, 0, 38);
        const auto before = f.pool.snapshot().blocks;
        BlockTable fork{.sequence = SequenceId{2}};
        QVERIFY(!f.allocator.fork(fork, leader, 37, 38, 0).granted);
        QCOMPARE(f.pool.snapshot().blocks, before);
        QVERIFY(fork.blocks.empty());
    }

    void blocksBehindTheWindowAreFreedOnce()
    {
        Fixture f(hashBlock, {8});
        const auto tokens = counting(20);
        BlockTable table{.sequence = SequenceId{1}};
        QVERIFY(f.admit(table, tokens).granted);
        f.allocator.written(table, tokens, 0, 20);
        f.allocator.releasePassed(table, 16); // it sees itself and 9 … 15
        QCOMPARE(table.blocks[0], kNullBlock);
        QCOMPARE(table.blocks[1], kNullBlock);
        QVERIFY(table.blocks[2] != kNullBlock);
        f.allocator.releasePassed(table, 16);
        f.allocator.releasePassed(table, 20);
        QCOMPARE(f.pool.totals().activeBlocks(), 2);
        f.allocator.release(table);
        QCOMPARE(f.pool.totals().activeBlocks(), 0);
        QVERIFY(f.sound());
    }
};

QTEST_APPLESS_MAIN(TestPagedAllocator)
#include "test_paged_allocator.moc"
