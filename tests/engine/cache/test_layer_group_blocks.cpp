// SPDX-License-Identifier: GPL-3.0-or-later
// The paged allocator where a model's layers do not all look back alike: blocks of 4 tokens in two groups,
// one with a window of 6 tokens and one that looks back on all, and steps of 10 tokens at most.
#include "engine/cache/paged_allocator.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace vitrine;

namespace {

constexpr std::int32_t kStep = 10;

std::vector<TokenId> counting(std::int32_t length, TokenId first = 1)
{
    std::vector<TokenId> tokens(static_cast<std::size_t>(length));
    std::iota(tokens.begin(), tokens.end(), first);
    return tokens;
}

SchedulerOptions optionsOf(std::vector<std::int32_t> windows)
{
    SchedulerOptions options;
    options.blockSize = 4;
    options.maxNumBatchedTokens = kStep;
    options.windows = std::move(windows);
    return options;
}

struct Fixture {
    explicit Fixture(std::int32_t numBlocks = 60, std::vector<std::int32_t> windows = {6, 0})
        : shape(optionsOf(std::move(windows)))
        , pool(numBlocks, 4, recorder)
        , allocator(pool, shape, hashBlock)
    {
    }

    KvGrant admit(BlockTable& table, const std::vector<TokenId>& tokens)
    {
        return allocator.admit(table, {tokens, std::int32_t(tokens.size()), 0}, 0);
    }

    /// Steps of at most 10 tokens, from what is computed to the end.
    void compute(BlockTable& table, const std::vector<TokenId>& tokens, std::int32_t computed = 0)
    {
        while (computed < std::int32_t(tokens.size())) {
            const std::int32_t count = std::min(kStep, std::int32_t(tokens.size()) - computed);
            QVERIFY(allocator.grow(table, std::int32_t(tokens.size()), computed));
            allocator.written(table, tokens, computed, count);
            computed += count;
            allocator.releasePassed(table, computed);
            greatest = std::max(greatest, held(table, 0));
        }
    }

    void leaveInCache(const std::vector<TokenId>& tokens)
    {
        BlockTable table{.sequence = SequenceId{99}};
        const KvGrant grant = admit(table, tokens);
        QVERIFY(grant.granted);
        compute(table, tokens, grant.cachedTokens);
        allocator.release(table);
    }

    /// Takes every cached block of a group's rows for something else.
    void forget(const BlockTable& table, std::int32_t group, std::int32_t beginRow, std::int32_t endRow)
    {
        BlockTable other{.sequence = SequenceId{98}};
        for (std::int32_t row = beginRow; row < endRow; ++row)
            pool.allocate(table.blocks[std::size_t(shape.position(row, group))], SequenceId{98}, row);
        for (std::int32_t row = beginRow; row < endRow; ++row)
            pool.free(table.blocks[std::size_t(shape.position(row, group))], SequenceId{98}, row);
    }

    [[nodiscard]] std::int32_t held(const BlockTable& table, std::int32_t group) const
    {
        std::int32_t count = 0;
        for (std::int32_t i = group; i < std::int32_t(table.blocks.size()); i += shape.groups())
            count += table.blocks[std::size_t(i)] == kNullBlock ? 0 : 1;
        return count;
    }

    TableShape shape;
    StepRecorder recorder;
    BlockPool pool;
    PagedAllocator allocator;
    std::int32_t greatest = 0; ///< blocks that the first group held at once, after a step
};

} // namespace

class TestLayerGroupBlocks : public QObject {
    Q_OBJECT
private slots:
    void aWindowGetsBlocksOnlyAsFarAsItReaches()
    {
        Fixture f;
        BlockTable table{.sequence = SequenceId{1}};
        QVERIFY(f.admit(table, counting(80)).granted);
        QCOMPARE(table.blocks.size(), std::size_t(40));
        QCOMPARE(f.held(table, 0), 4); // 6 − 1 + 10 tokens
        QCOMPARE(f.held(table, 1), 20);
        QCOMPARE(f.pool.totals().activeBlocks(), 24);
    }

    void aLongSequenceHoldsAWindowAndAStep()
    {
        Fixture f;
        const auto tokens = counting(80);
        BlockTable table{.sequence = SequenceId{1}};
        QVERIFY(f.admit(table, tokens).granted);
        f.compute(table, tokens);
        QVERIFY(f.greatest <= f.shape.rowsAtMost(0, 80));
        QCOMPARE(f.held(table, 0), 2); // 75 … 79 stand in two rows
        QCOMPARE(f.held(table, 1), 20);
        f.allocator.release(table);
        QCOMPARE(f.pool.totals().activeBlocks(), 0);
        QVERIFY(f.pool.findFaults().empty());
    }

    void groupsThatLookBackOnAllGrowTogether()
    {
        Fixture f(60, {6, 0, 0});
        BlockTable table{.sequence = SequenceId{1}};
        QVERIFY(f.admit(table, counting(5)).granted);
        QVERIFY(f.allocator.grow(table, 9, 8));
        QCOMPARE(table.blocks.size(), std::size_t(9));
        QVERIFY(std::ranges::find(table.blocks, kNullBlock) == table.blocks.end());
    }

    void aRefusalCountsAllGroupsAndChangesNothing()
    {
        Fixture f(11);
        BlockTable table{.sequence = SequenceId{1}};
        const KvGrant grant = f.admit(table, counting(28));
        QVERIFY(!grant.granted);
        QCOMPARE(grant.needBlocks, 7 + 4);
        QCOMPARE(f.pool.freeBlocks(), 10);
        QVERIFY(f.admit(table, counting(24)).granted);
        QVERIFY(!f.allocator.grow(table, 29, 24));
        QCOMPARE(f.pool.totals().activeBlocks(), 10);
    }

    void aHitTakesOfAWindowOnlyWhatItSees()
    {
        Fixture f;
        f.leaveInCache(counting(40));
        BlockTable table{.sequence = SequenceId{1}};
        QCOMPARE(f.admit(table, counting(42)).cachedTokens, 40);
        QCOMPARE(f.shape.firstRow(0, 40), 8); // 35
        for (std::int32_t row = 0; row < 10; ++row) {
            QCOMPARE(table.blocks[std::size_t(2 * row)] == kNullBlock, row < 8);
            QVERIFY(table.blocks[std::size_t(2 * row + 1)] != kNullBlock);
        }
        f.allocator.release(table);
        QVERIFY(f.pool.findFaults().empty());
    }

    /// The window's group lacks rows 3 to 8; a hit of 5 rows needs row 3 of it, one of 3 rows row 1 and 2.
    void aHitIsAsLongAsAllGroupsAllow()
    {
        Fixture f;
        BlockTable first{.sequence = SequenceId{1}};
        QVERIFY(f.admit(first, counting(40)).granted);
        std::vector<BlockId> all;
        for (std::int32_t computed = 0; computed < 40; computed += kStep) {
            QVERIFY(f.allocator.grow(first, 40, computed));
            all.resize(first.blocks.size());
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] = first.blocks[i] == kNullBlock ? all[i] : first.blocks[i];
            f.allocator.written(first, counting(40), computed, kStep);
            f.allocator.releasePassed(first, computed + kStep);
        }
        f.allocator.release(first);
        const BlockTable whole{.sequence = SequenceId{1}, .blocks = all};
        f.forget(whole, 0, 3, 9);
        BlockTable table{.sequence = SequenceId{2}};
        // Row 9 alone is there of those behind the gap: not enough for the window of the token at 40.
        QCOMPARE(f.admit(table, counting(42)).cachedTokens, 12);
        f.allocator.release(table);
        f.forget(whole, 1, 1, 2); // in the middle of the group that looks back on all
        QCOMPARE(f.allocator.cachedTokens(table, counting(42)), 4);
        QVERIFY(f.pool.findFaults().empty());
    }

    void groupsDoNotTakeEachOthersBlocks()
    {
        Fixture f;
        f.leaveInCache(counting(9));
        BlockTable table{.sequence = SequenceId{1}};
        QCOMPARE(f.admit(table, counting(9)).cachedTokens, 8);
        auto blocks = table.blocks;
        std::ranges::sort(blocks);
        QVERIFY(std::ranges::adjacent_find(blocks) == blocks.end());
    }

    /// Windows alone: a cached prefix may be longer than what a sequence ever holds.
    void aLongHitOfAWindowNeedsNoMoreThanTheWindow()
    {
        Fixture f(13, {6});
        f.leaveInCache(counting(40)); // 10 of 12 blocks
        BlockTable table{.sequence = SequenceId{1}};
        const KvGrant grant = f.admit(table, counting(60));
        QVERIFY(grant.granted);
        QCOMPARE(grant.cachedTokens, 40);
        QCOMPARE(grant.needBlocks, 5); // 35 … 49
        QCOMPARE(f.pool.totals().activeBlocks(), 5);
        f.compute(table, counting(60), 40);
        f.allocator.release(table);
        QVERIFY(f.pool.findFaults().empty());
    }

    void aForkCopiesTheTailOfEachGroup()
    {
        Fixture f;
        const auto tokens = counting(22);
        BlockTable leader{.sequence = SequenceId{1}};
        QVERIFY(f.admit(leader, tokens).granted);
        f.compute(leader, tokens);
        QVERIFY(f.allocator.canShare(leader, 21));
        BlockTable fork{.sequence = SequenceId{2}};
        const KvGrant grant = f.allocator.fork(fork, leader, 21, 22, 0);
        QVERIFY(grant.granted);
        QCOMPARE(grant.needBlocks, 2);
        QCOMPARE(fork.blocks, leader.blocks);
        const auto copies = f.allocator.copyOnWrite(fork, 21);
        QCOMPARE(copies.size(), std::size_t(2));
        for (const KvCopy& copy : copies)
            f.pool.free(copy.source, fork.sequence, copy.position);
        f.allocator.written(fork, tokens, 21, 1);
        f.allocator.release(leader);
        f.allocator.release(fork);
        QCOMPARE(f.pool.totals().activeBlocks(), 0);
        QVERIFY(f.pool.findFaults().empty());
    }

    /// The last of a row's tokens is the oldest that a fork sees: the leader has given that row back.
    void whatAWindowHasPassedCannotBeShared()
    {
        Fixture f;
        const auto tokens = counting(25);
        BlockTable leader{.sequence = SequenceId{1}};
        QVERIFY(f.admit(leader, tokens).granted);
        f.compute(leader, tokens);
        QVERIFY(!f.allocator.canShare(leader, 24)); // it would see 19
        QVERIFY(f.allocator.canShare(leader, 25));
    }
};

QTEST_APPLESS_MAIN(TestLayerGroupBlocks)
#include "test_layer_group_blocks.moc"
