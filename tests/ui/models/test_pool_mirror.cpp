// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_workload.h"
#include "ui/models/pool_mirror.h"

#include <QtTest>

#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;
using vitrine::ui::PoolMirror;

namespace {

bool equal(const PoolSnapshot& a, const PoolSnapshot& b)
{
    return a.step == b.step && a.blockSize == b.blockSize && a.layerGroups == b.layerGroups &&
           a.blocks == b.blocks && a.sequences == b.sequences && a.freeQueue == b.freeQueue &&
           a.checksum == b.checksum;
}

/// Owners of a block from the tables alone.
std::vector<SequenceId> ownersIn(const PoolMirror& mirror, BlockId block)
{
    std::vector<SequenceId> owners;
    for (const auto& [sequence, table] : mirror.tables()) {
        for (const BlockId id : table) {
            if (id == block)
                owners.push_back(sequence);
        }
    }
    return owners;
}

bool ownersFitTheTables(const PoolMirror& mirror)
{
    for (std::uint32_t i = 1; i < std::uint32_t(mirror.numBlocks()); ++i) {
        const auto span = mirror.owners(BlockId{i});
        std::vector<SequenceId> owners(span.begin(), span.end());
        std::ranges::sort(owners);
        if (owners != ownersIn(mirror, BlockId{i}))
            return false;
    }
    return true;
}

std::int64_t entriesIn(const PoolMirror& mirror)
{
    std::int64_t entries = 0;
    for (const auto& [sequence, table] : mirror.tables())
        entries += std::ranges::count_if(table, [](BlockId id) { return id != kNullBlock; });
    return entries;
}

} // namespace

class TestPoolMirror : public QObject {
    Q_OBJECT
private slots:
    /// 25,000 steps over 120 modes: state, owners, queue, tables and sums equal the pool's after each of
    /// them.
    void equalsThePoolAfterEveryStepOfARandomRun()
    {
        int steps = 0;
        for (std::uint64_t seed = 1; seed <= 120; ++seed) {
            WorkloadRunner runner(randomMode(seed));
            const Scheduler& scheduler = runner.engine().scheduler();
            PoolMirror mirror;
            QVERIFY(mirror.apply(scheduler.snapshot()));
            bool same = true;
            runner.afterStep = [&] {
                same &= mirror.apply(runner.engine().lastRecord());
                same &= equal(mirror.snapshot(), scheduler.snapshot());
                same &= mirror.tableEntries() == entriesIn(mirror);
                same &= ownersFitTheTables(mirror);
                ++steps;
            };
            std::uint64_t random = seed;
            for (int i = 0; i < 350 && same; ++i)
                runner.run(randomOperation(random));
            runner.drain();
            QVERIFY2(same, qPrintable(QString("seed %1, step %2").arg(seed).arg(scheduler.step())));
        }
        QVERIFY(steps >= 20'000);
    }

    void startsAnywhereFromASnapshot()
    {
        WorkloadRunner runner(randomMode(3));
        PoolMirror early;
        QVERIFY(early.apply(runner.engine().scheduler().snapshot()));
        PoolMirror late;
        int steps = 0;
        runner.afterStep = [&] {
            QVERIFY(early.apply(runner.engine().lastRecord()));
            if (++steps % 17 == 0)
                QVERIFY(late.apply(early.snapshot()));
            else if (steps > 17)
                QVERIFY(late.apply(runner.engine().lastRecord()));
        };
        std::uint64_t random = 5;
        for (int i = 0; i < 200; ++i)
            runner.run(randomOperation(random));
        QVERIFY(steps > 50);
        QVERIFY(equal(early.snapshot(), late.snapshot()));
    }

    void tellsWhichBlocksChanged()
    {
        ToyEngine engine(toyOptions());
        PoolMirror mirror;
        QVERIFY(mirror.apply(engine.scheduler().snapshot()));
        QCOMPARE(mirror.takeChangedBlocks().size(), std::size_t(11));
        QVERIFY(mirror.takeChangedBlocks().empty());
        engine.submit(5, 3);
        engine.step();
        QVERIFY(mirror.apply(engine.lastRecord()));
        QCOMPARE(mirror.takeChangedBlocks(), (std::vector<BlockId>{BlockId{1}, BlockId{2}}));
        QCOMPARE(mirror.lastStep(BlockId{1}), std::uint64_t(1));
        engine.step();
        QVERIFY(mirror.apply(engine.lastRecord()));
        QCOMPARE(mirror.takeChangedBlocks(), (std::vector<BlockId>{BlockId{2}}));
    }

    void noticesALostStep()
    {
        ToyEngine engine(toyOptions());
        PoolMirror mirror;
        QVERIFY(mirror.apply(engine.scheduler().snapshot()));
        engine.submit(4, 6);
        engine.step();
        QVERIFY(mirror.apply(engine.lastRecord()));
        engine.step(); // takes a block, and is lost
        engine.step();
        QVERIFY(!mirror.apply(engine.lastRecord()));
    }

    void noticesAWrongOwner()
    {
        ToyEngine engine(toyOptions());
        const PoolSnapshot start = engine.scheduler().snapshot();
        engine.submit(5, 3);
        engine.submit(6, 3);
        engine.step();
        const auto fits = [&](const auto& spoil) {
            StepRecord record = engine.lastRecord();
            for (StepEvent& event : record.events) {
                if (auto* alloc = std::get_if<event::Alloc>(&event))
                    spoil(*alloc);
            }
            PoolMirror mirror;
            return mirror.apply(start) && mirror.apply(record);
        };
        QVERIFY(fits([](event::Alloc&) {}));
        // The blocks' own states are the same in both: each has one owner.
        QVERIFY(!fits([](event::Alloc& alloc) { alloc.sequence.value = 3 - alloc.sequence.value; }));
        int last = 0;
        QVERIFY(!fits([&](event::Alloc& alloc) {
            alloc.block.value = last++ == 0 ? 2 : last == 2 ? 1 : alloc.block.value;
        }));
    }

    void noticesAnOwnerThatIsFreedInAnothersPlace()
    {
        ToyEngine engine(toyOptions());
        PoolSnapshot shared = engine.scheduler().snapshot();
        shared.blocks[1] = {.refCount = 2, .filled = 4};
        shared.sequences = {{SequenceId{1}, {BlockId{1}}}, {SequenceId{2}, {BlockId{1}}}};
        shared.freeQueue.erase(shared.freeQueue.begin());
        shared.checksum = poolChecksum(shared);
        PoolSnapshot after = shared;
        after.blocks[1].refCount = 1;
        after.sequences.pop_back();
        StepRecord record;
        record.poolChecksum = poolChecksum(after);
        PoolMirror mirror;
        QVERIFY(mirror.apply(shared));
        record.events = {event::Free{BlockId{1}, SequenceId{1}, 0}};
        QVERIFY(!mirror.apply(record));
        QVERIFY(mirror.apply(shared));
        record.events = {event::Free{BlockId{1}, SequenceId{2}, 0}};
        QVERIFY(mirror.apply(record));
    }

    void aRecordOfAnotherPoolChangesNothing()
    {
        ToyEngine engine(toyOptions());
        PoolSnapshot start = engine.scheduler().snapshot();
        start.generation = 2;
        PoolMirror mirror;
        QVERIFY(mirror.apply(start));
        engine.submit(5, 3);
        engine.step();
        StepRecord record = engine.lastRecord();
        record.generation = 1;
        QVERIFY(!mirror.apply(record));
        QVERIFY(equal(mirror.snapshot(), start));
        record.generation = 2;
        QVERIFY(mirror.apply(record));
        QCOMPARE(mirror.snapshot().generation, std::uint32_t(2));
    }

    void survivesRecordsThatMakeNoSense()
    {
        PoolMirror mirror;
        ToyEngine engine(toyOptions());
        QVERIFY(mirror.apply(engine.scheduler().snapshot()));
        StepRecord record;
        record.events = {event::Free{BlockId{3}, SequenceId{1}, 0},
                         event::Alloc{BlockId{0}, SequenceId{1}, 0},
                         event::Alloc{BlockId{99}, SequenceId{1}, 0},
                         event::Share{BlockId{99}, SequenceId{1}, 0},
                         event::Alloc{BlockId{1}, SequenceId{1}, 9},
                         event::Alloc{BlockId{2}, SequenceId{1}, -1},
                         event::Fill{BlockId{99}, 1},
                         event::Evict{BlockId{99}},
                         event::Publish{BlockId{99}, 1},
                         event::Copy{BlockId{99}, BlockId{1}},
                         event::Free{BlockId{1}, SequenceId{7}, -3}};
        QVERIFY(!mirror.apply(record));

        PoolSnapshot broken = engine.scheduler().snapshot();
        broken.freeQueue.push_back(BlockId{1});
        QVERIFY(!mirror.apply(broken));
        broken = engine.scheduler().snapshot();
        broken.sequences.push_back({SequenceId{1}, {BlockId{77}}});
        QVERIFY(!mirror.apply(broken));
        broken = PoolSnapshot{};
        broken.checksum = 1;
        QVERIFY(!mirror.apply(broken));
    }
};

QTEST_APPLESS_MAIN(TestPoolMirror)
#include "test_pool_mirror.moc"
