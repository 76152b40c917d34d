// SPDX-License-Identifier: GPL-3.0-or-later
// Pools that are too large to be made at once: on another thread, one after the other, and not all that come.
#include "tests/support/glass_scene.h"
#include "tests/support/patience.h"
#include "tests/support/sanitized.h"
#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_history.h"

#include <QSignalSpy>
#include <QtTest>

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

constexpr int kSteps = 8; ///< that come at once, in four batches

/// An engine with a large pool, whose batches go to the views one by one.
class LargePool {
public:
    LargePool(GlassModel& glass, std::uint32_t generation, std::int32_t numBlocks = 70'000)
        : m_glass(glass)
        , m_engine(SchedulerOptions{.numBlocks = numBlocks}, 1)
        , m_generation(generation)
    {
        m_engine.submit(500, 400);
    }

    [[nodiscard]] std::uint64_t checksum() { return m_engine.snapshot().checksum; }

    std::vector<StepRecord> steps(int count)
    {
        std::vector<StepRecord> records;
        for (int i = 0; i < count; ++i) {
            records.push_back(m_engine.step());
            records.back().generation = m_generation;
        }
        return records;
    }

    /// A snapshot with five steps, and three batches of one.
    void come(std::uint64_t dropped)
    {
        PoolSnapshot pool = m_engine.snapshot();
        pool.generation = m_generation;
        const auto snapshot = std::make_shared<const PoolSnapshot>(std::move(pool));
        m_glass.apply(std::make_shared<const StepBatch>(StepBatch{snapshot, steps(kSteps - 3), dropped}));
        for (int i = 0; i < 3; ++i)
            m_glass.apply(std::make_shared<const StepBatch>(StepBatch{nullptr, steps(1), 0}));
    }

private:
    GlassModel& m_glass;
    WorkloadEngine m_engine;
    std::uint32_t m_generation;
};

/// No more memory than there is now, and a little.
class LittleMemory {
public:
    LittleMemory()
    {
        ::getrlimit(RLIMIT_AS, &m_before);
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit little = m_before;
        little.rlim_cur = pages * std::size_t(::getpagesize()) + (std::size_t(64) << 20);
        ::setrlimit(RLIMIT_AS, &little);
    }
    ~LittleMemory() { ::setrlimit(RLIMIT_AS, &m_before); }
    LittleMemory(const LittleMemory&) = delete;
    LittleMemory& operator=(const LittleMemory&) = delete;

private:
    rlimit m_before{};
};

} // namespace

class TestLargePools : public QObject {
    Q_OBJECT
private slots:
    /// When it is new and after dropped steps; what comes meanwhile waits, in its order, and the views show
    /// what they did.
    void aLargePoolIsMadeBesideTheWindow()
    {
        GlassScene scene(SceneKind::TwoChats);
        GlassModel& glass = scene.glass();
        const std::uint64_t before = glass.newestPool().checksum();
        LargePool pool(glass, 7);
        QSignalSpy replaced(&glass, &GlassModel::poolReplaced);
        pool.come(0);
        QCOMPARE(glass.newestPool().checksum(), before);
        QVERIFY(replaced.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(glass.newestPool().checksum(), pool.checksum(), kPatienceMillis);
        QCOMPARE(replaced.size(), 1);
        QCOMPARE(glass.batches().steps().size(), std::size_t(kSteps));
        QCOMPARE(glass.cursorRange()->last, std::uint64_t(kSteps));
        const std::uint64_t written = glass.newestPool().lastStep(BlockId{1});
        QVERIFY(written > 0);

        (void)pool.steps(20);
        pool.come(20);
        pool.come(1); // again, while the first is under way
        pool.come(1); // of those that wait the last one counts: 1 + 5 + 3 steps are not shown
        QCOMPARE(glass.newestPool().step(), std::uint64_t(kSteps));
        QTRY_COMPARE_WITH_TIMEOUT(glass.newestPool().step(), std::uint64_t(52), kPatienceMillis);
        QCOMPARE(glass.newestPool().checksum(), pool.checksum());
        QCOMPARE(glass.newestPool().lastStep(BlockId{1}), written); // what the views remember outlives it
        QCOMPARE(glass.health(), (TraceHealth{.droppedSteps = 30, .mismatchStep = {}}));
        QCOMPARE(replaced.size(), 1);
        const auto checked = ui::check(*glass.recording().newest(), [](std::uint64_t) { return true; });
        QVERIFY2(checked, checked ? "" : checked.error().line().c_str());
    }

    void stepsThatAnotherPoolLostAreNotThisOnes()
    {
        GlassScene scene(SceneKind::TwoChats);
        GlassModel& glass = scene.glass();
        LargePool old(glass, 7), young(glass, 8);
        old.come(0);
        old.come(1);
        old.come(1);   // overtakes what waits, and is
        young.come(9); // overtaken: nine steps of the old pool never came
        QTRY_COMPARE_WITH_TIMEOUT(glass.newestPool().generation(), 8u, kPatienceMillis);
        QCOMPARE(glass.newestPool().checksum(), young.checksum());
        QCOMPARE(glass.health(), TraceHealth{});
    }

    void aNewPoolThatOvertakesItselfCountsWhatItLost()
    {
        GlassScene scene(SceneKind::TwoChats);
        GlassModel& glass = scene.glass();
        LargePool old(glass, 7), young(glass, 8);
        old.come(0);
        young.come(9);
        (void)young.steps(3);
        young.come(3);
        QTRY_COMPARE_WITH_TIMEOUT(glass.newestPool().generation(), 8u, kPatienceMillis);
        QCOMPARE(glass.newestPool().checksum(), young.checksum());
        QCOMPARE(glass.health(), (TraceHealth{.droppedSteps = kSteps + 3, .mismatchStep = {}}));
    }

    /// The histories are of the pool that is shown, as the map is; its successor's steps are counted.
    void aPoolThatThereIsNoMemoryForIsNotShown()
    {
        if (test::kSanitized)
            QSKIP("sanitizers need the address space for themselves");
        GlassScene scene(SceneKind::TwoChats);
        GlassModel& glass = scene.glass();
        LargePool first(glass, 6), pool(glass, 7, 2'000'000);
        first.come(0); // the other waits until it is made
        pool.come(0);
        {
            const LittleMemory little;
            QTRY_VERIFY_WITH_TIMEOUT(glass.health().mismatchStep.has_value(), kPatienceMillis);
        }
        QCOMPARE(glass.newestPool().checksum(), first.checksum());
        QCOMPARE(glass.batches().steps().size(), std::size_t(kSteps));
        QCOMPARE(glass.metrics().totals().steps, std::int64_t(kSteps));
        (void)pool.steps(2);
        pool.come(2);
        QTRY_COMPARE_WITH_TIMEOUT(glass.newestPool().checksum(), pool.checksum(), kPatienceMillis);
        QCOMPARE(glass.health(), (TraceHealth{.droppedSteps = kSteps + 2, .mismatchStep = {}}));
        QCOMPARE(glass.batches().steps().size(), std::size_t(kSteps));
    }
};

QTEST_GUILESS_MAIN(TestLargePools)
#include "test_large_pools.moc"
