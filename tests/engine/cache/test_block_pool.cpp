// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_pool.h"
#include "tests/support/property.h"

#include <QtTest>

#include <array>

using namespace vitrine;

namespace {

constexpr SequenceId kA{1};
constexpr SequenceId kB{2};
constexpr std::int32_t kBlockSize = 4;

std::vector<BlockId> ids(std::initializer_list<std::uint32_t> numbers)
{
    std::vector<BlockId> blocks;
    for (const std::uint32_t number : numbers)
        blocks.push_back(BlockId{number});
    return blocks;
}

/// A pool of 11 blocks, ten of them usable, and a sequence's way to use it.
struct Pool {
    StepRecorder recorder;
    BlockPool pool{11, kBlockSize, recorder};

    std::vector<BlockId> take(int count, SequenceId sequence)
    {
        std::vector<BlockId> blocks;
        for (int i = 0; i < count; ++i)
            blocks.push_back(pool.allocate(sequence, i));
        return blocks;
    }

    /// Full of four tokens, which are the hash's digits, and published as the first block of a prompt.
    void publish(BlockId block, std::uint64_t hash)
    {
        pool.fill(block, kBlockSize);
        const auto token = TokenId(hash);
        const std::array tokens{token, token, token, token};
        pool.publish(block, {.hash = hash, .parent = {}, .tokens = tokens});
    }

    [[nodiscard]] bool knows(std::uint64_t hash) const
    {
        const auto token = TokenId(hash);
        const std::array tokens{token, token, token, token};
        return pool.find({.hash = hash, .parent = {}, .tokens = tokens}).has_value();
    }

    void giveBack(const std::vector<BlockId>& blocks, SequenceId sequence)
    {
        for (auto i = std::int32_t(blocks.size()) - 1; i >= 0; --i)
            pool.free(blocks[std::size_t(i)], sequence, i);
    }

    [[nodiscard]] std::vector<BlockId> order() const { return pool.freeQueue().toVector(); }
    [[nodiscard]] QString faults() const
    {
        const auto found = pool.findFaults();
        return found.empty() ? QString() : QString::fromStdString(found.front());
    }
};

} // namespace

class TestBlockPool : public QObject {
    Q_OBJECT
private slots:
    void startsWithAllButTheNullBlockInAddressOrder()
    {
        Pool p;
        QCOMPARE(p.order(), ids({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        QCOMPARE(p.pool.usableBlocks(), 10);
        QCOMPARE(p.faults(), QString());
    }

    void unhashedBlocksAreReusedFirstInTheirOldOrder()
    {
        Pool p;
        const auto blocks = p.take(3, kA);
        QCOMPARE(blocks, ids({1, 2, 3}));
        p.giveBack(blocks, kA);
        QCOMPARE(p.order(), ids({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    }

    void hashedBlocksAreReusedLastAndAPrefixAfterItsContinuation()
    {
        Pool p;
        const auto blocks = p.take(3, kA);
        p.publish(blocks[0], 100);
        p.publish(blocks[1], 101);
        p.giveBack(blocks, kA);
        QCOMPARE(p.order(), ids({3, 4, 5, 6, 7, 8, 9, 10, 2, 1}));
        QCOMPARE(p.pool.totals().cachedFreeBlocks(), 2);
        QCOMPARE(p.faults(), QString());
    }

    void theLeastRecentlyUsedCachedBlockIsEvictedFirst()
    {
        Pool p;
        const auto a = p.take(2, kA);
        const auto b = p.take(2, kB);
        p.publish(a[0], 100);
        p.publish(b[0], 200);
        p.giveBack(b, kB);
        p.giveBack(a, kA);
        QCOMPARE(p.order(), ids({2, 4, 5, 6, 7, 8, 9, 10, 3, 1}));
        p.take(9, kA);
        QVERIFY(!p.knows(200));
        QVERIFY(p.knows(100));
        QCOMPARE(p.pool.evictions(), std::uint64_t(1));
    }

    void aTouchTakesABlockOutOfTheMiddle()
    {
        Pool p;
        const auto blocks = p.take(4, kA);
        for (std::size_t i = 0; i < 3; ++i)
            p.publish(blocks[i], 100 + i);
        p.giveBack(blocks, kA);
        QCOMPARE(p.order(), ids({4, 5, 6, 7, 8, 9, 10, 3, 2, 1}));
        p.pool.share(BlockId{2}, kB, 0);
        QCOMPARE(p.order(), ids({4, 5, 6, 7, 8, 9, 10, 3, 1}));
        p.pool.free(BlockId{2}, kB, 0);
        QCOMPARE(p.order(), ids({4, 5, 6, 7, 8, 9, 10, 3, 1, 2}));
    }

    void aSharedBlockStaysUntilTheLastReferenceIsBack()
    {
        Pool p;
        const auto blocks = p.take(1, kA);
        p.publish(blocks[0], 100);
        p.pool.share(blocks[0], kB, 0);
        QCOMPARE(p.pool.totals().sharedBlocks(), 1);
        p.pool.free(blocks[0], kA, 0);
        QVERIFY(!p.pool.isFree(blocks[0]));
        p.pool.free(blocks[0], kB, 0);
        QVERIFY(p.pool.isFree(blocks[0]));
        QCOMPARE(p.faults(), QString());
    }

    void aReusedBlockIsForgotten()
    {
        Pool p;
        const auto blocks = p.take(10, kA);
        p.publish(blocks[4], 100);
        p.giveBack(blocks, kA);
        p.take(10, kB);
        QVERIFY(!p.knows(100));
        QCOMPARE(p.pool.state(blocks[4]), (BlockState{.refCount = 1}));
        QCOMPARE(p.faults(), QString());
    }

    void theSameContentIsPublishedOnce()
    {
        Pool p;
        const auto blocks = p.take(2, kA);
        p.publish(blocks[0], 100);
        p.publish(blocks[1], 100);
        QVERIFY(p.pool.state(blocks[0]).hashed);
        QVERIFY(!p.pool.state(blocks[1]).hashed);
        QCOMPARE(p.faults(), QString());
    }

    /// Even under one hash: what a block holds is of its group's layers alone.
    void theSameTokensInAnotherLayerGroupAreNotFound()
    {
        Pool p;
        const auto blocks = p.take(1, kA);
        p.publish(blocks[0], 100);
        const std::array<TokenId, kBlockSize> tokens{100, 100, 100, 100};
        BlockContent content{.hash = 100, .parent = {}, .tokens = tokens};
        QVERIFY(p.pool.find(content).has_value());
        content.layerGroup = 1;
        QVERIFY(!p.pool.find(content).has_value());
    }

    void droppingTheCacheKeepsTheOrder()
    {
        Pool p;
        const auto blocks = p.take(3, kA);
        p.publish(blocks[0], 100);
        p.publish(blocks[1], 101);
        p.giveBack(blocks, kA);
        p.pool.dropCached();
        QCOMPARE(p.order(), ids({3, 4, 5, 6, 7, 8, 9, 10, 2, 1}));
        QCOMPARE(p.pool.totals().cachedFreeBlocks(), 0);
        QVERIFY(!p.knows(100));
        QCOMPARE(p.faults(), QString());
    }

    void aCopyHoldsWhatItCopies()
    {
        Pool p;
        const auto blocks = p.take(1, kA);
        p.pool.fill(blocks[0], 3);
        const BlockId copy = p.pool.copy(blocks[0], 2, kB, 0);
        QCOMPARE(p.pool.state(copy), (BlockState{.refCount = 1, .filled = 2}));
        QCOMPARE(p.pool.state(blocks[0]), (BlockState{.refCount = 1, .filled = 3}));
    }

    void aRecorderThatIsOffCollectsNothing()
    {
        StepRecorder recorder(false);
        BlockPool pool(11, kBlockSize, recorder);
        pool.free(pool.allocate(kA, 0), kA, 0);
        QVERIFY(recorder.current().events.empty());
        QCOMPARE(pool.checksum(), poolChecksum(pool.snapshot()));
    }

    /// Any order of operations that the preconditions allow, against sums from scratch.
    void staysSoundUnderAnyOperations()
    {
        QVERIFY(test::holds("block pool", 200, 300, [](const std::vector<std::uint16_t>& choices) {
            Pool p;
            std::vector<BlockId> held; // the table of kA: given back, an entry becomes null
            for (const std::uint16_t choice : choices) {
                const int operation = choice % 5;
                const std::size_t index = held.empty() ? 0 : choice / 5u % held.size();
                if (operation == 0 && p.pool.freeBlocks() > 0)
                    held.push_back(p.pool.allocate(kA, std::int32_t(held.size())));
                if (held.empty() || held[index] == kNullBlock)
                    continue;
                const BlockState state = p.pool.state(held[index]);
                if (operation == 1) {
                    p.pool.free(held[index], kA, std::int32_t(index));
                    held[index] = kNullBlock;
                } else if (operation == 2) {
                    p.pool.share(held[index], kA, std::int32_t(held.size()));
                    held.push_back(held[index]);
                } else if (operation == 3 && !state.hashed) {
                    p.pool.fill(held[index], choice % (kBlockSize + 1));
                } else if (operation == 4 && !state.hashed) {
                    p.publish(held[index], 100 + choice % 7u);
                }
                RC_ASSERT(p.pool.findFaults() == std::vector<std::string>{});
                PoolSnapshot snapshot = p.pool.snapshot();
                snapshot.sequences = {{kA, held}};
                RC_ASSERT(p.pool.checksum() == poolChecksum(snapshot));
            }
        }));
    }
};

QTEST_APPLESS_MAIN(TestBlockPool)
#include "test_block_pool.moc"
