// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's thread is busy at a stretch with a pool of a million blocks: while the engine runs at
// full speed, at clicks into the past, where colours change, where the blocks are exported, and where the
// pool is another, or the same after dropped steps.
//   QT_QPA_PLATFORM=offscreen bench_vast_pool [BLOCKS]
#include "tests/support/glass_scene.h"
#include "ui/glass/block_map_panel.h"
#include "ui/models/panel_tables.h"
#include "ui/models/pool_mirror.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>
#include <thread>
#include <vector>

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kChats = 256;
constexpr int kStepsAFrame = 32;
constexpr int kRounds = 60;
constexpr qint64 kMostSettleMillis = 5000;

/// Processor time of this thread: what else the machine does counts least.
double threadMillis()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Stretches in which the window's thread does one thing after the other and takes no input.
class Stretches {
public:
    void time(const std::function<void()>& work)
    {
        const double begin = threadMillis();
        work();
        m_millis.push_back(threadMillis() - begin);
    }
    void report(const char* what)
    {
        std::ranges::sort(m_millis);
        std::printf("%-28s %6zu stretches   p50 %7.2f ms   p99 %7.2f ms   most %7.2f ms\n", what,
                    m_millis.size(), m_millis[m_millis.size() / 2], m_millis[m_millis.size() * 99 / 100],
                    m_millis.back());
        std::fflush(stdout);
        m_millis.clear();
    }

private:
    std::vector<double> m_millis;
};

class VastPool {
public:
    explicit VastPool(int blocks)
        : m_scene(options(blocks))
        , m_panel(&m_scene.glass())
    {
        m_scene.engine().scheduler().checkEvery(1'000'000'000);
        for (int chat = 1; chat <= kChats; ++chat)
            m_scene.ask(chat, static_cast<int>(15LL * blocks / kChats), 100'000);
        m_scene.advance(1000, 100);
        m_panel.resize(1100, 800);
        m_panel.show();
        QApplication::processEvents();
        const ui::PoolFigures& figures = m_scene.glass().newestFigures();
        std::printf("%d blocks, %d of them active, %d cached\n", blocks, figures.activeBlocks,
                    figures.cachedBlocks);
    }

    void live()
    {
        for (int i = 0; i < 4 * kRounds; ++i)
            frame();
        m_stretches.report("engine at full speed");
    }

    /// Clicks anywhere in the past, while the engine runs on.
    void seek()
    {
        std::mt19937 random(1);
        ui::GlassModel& glass = m_scene.glass();
        for (int i = 0; i < kRounds; ++i) {
            const ui::StepRange range = *glass.cursorRange();
            const std::uint64_t step = range.first + random() % (range.last - range.first);
            m_stretches.time([&] { glass.setCursor(step); });
            settle([&] { return glass.shownStep() == step; });
        }
        m_stretches.time([&] { glass.setCursor({}); });
        settle([] { return true; });
        m_stretches.report("clicks into the past");
    }

    void recolor()
    {
        for (int i = 0; i < kRounds / 4; ++i) {
            m_stretches.time([&] { m_scene.directory().describeChat({1 + i, QString(), 40 + i}); });
            settle([] { return true; });
        }
        m_stretches.report("a chat's other colour");
        for (int i = 0; i < kRounds / 4; ++i) {
            m_stretches.time(
                [&] { QApplication::setPalette(i % 2 == 0 ? ui::darkPalette() : ui::lightPalette()); });
            settle([] { return true; });
        }
        m_stretches.report("dark and light");
    }

    void exportBlocks()
    {
        std::function<QByteArray()> later;
        m_stretches.time([&] { later = ui::blocksCsvLater(m_scene.glass()); });
        std::thread([&] {
            std::printf("%lld bytes of CSV\n", static_cast<long long>(later().size()));
        }).join();
        m_stretches.report("blocks as CSV");
    }

    /// The window lagged behind, or the pool is another: it comes whole.
    void restart(std::uint64_t droppedSteps, const char* what)
    {
        for (int i = 0; i < kRounds / 4; ++i) {
            auto batch = std::make_shared<StepBatch>();
            batch->snapshot = std::make_shared<const PoolSnapshot>(m_scene.engine().snapshot());
            batch->droppedSteps = droppedSteps;
            m_stretches.time([&] { m_scene.glass().apply(std::exchange(batch, nullptr)); });
            const std::uint64_t step = m_scene.engine().scheduler().step();
            settle([&] { return m_scene.glass().newestPool().step() > step; });
        }
        m_stretches.report(what);
    }

private:
    static SchedulerOptions options(int blocks)
    {
        SchedulerOptions options;
        options.numBlocks = blocks;
        options.maxNumBatchedTokens = 16'384;
        options.maxNumSeqs = kChats;
        return options;
    }

    void frame()
    {
        auto batch = std::make_shared<StepBatch>();
        for (int i = 0; i < kStepsAFrame; ++i)
            batch->steps.push_back(m_scene.engine().step());
        m_stretches.time([&] { m_scene.glass().apply(batch); });
        turn();
    }
    void turn()
    {
        m_stretches.time([] { QApplication::processEvents(); });
    }
    /// Until it is done, and what is to be painted is painted.
    void settle(const std::function<bool()>& done)
    {
        QElapsedTimer timer;
        timer.start();
        while (!done() && timer.elapsed() < kMostSettleMillis)
            frame();
        for (int i = 0; i < 24; ++i)
            turn();
    }

    GlassScene m_scene;
    ui::BlockMapPanel m_panel;
    Stretches m_stretches;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(ui::lightPalette());
    VastPool pool(argc > 1 ? std::atoi(argv[1]) : 1'000'000);
    pool.live();
    pool.seek();
    pool.recolor();
    pool.exportBlocks();
    pool.restart(1, "after dropped steps");
    pool.restart(0, "another pool");
    return 0;
}
