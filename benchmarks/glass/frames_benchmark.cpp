// SPDX-License-Identifier: GPL-3.0-or-later
// How long a frame of the timeline and of the throughput charts takes, with 64 sequences and a long history,
// in software:
//   QT_QPA_PLATFORM=offscreen bench_glass_frames [STEPS]
#include "tests/support/glass_scene.h"
#include "ui/glass/throughput_panel.h"
#include "ui/glass/throughput_plot.h"
#include "ui/glass/timeline_canvas.h"
#include "ui/models/batch_history.h"
#include "ui/models/throughput_series.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kFrames = 200;
constexpr int kSequences = 64;
constexpr QSize kTimelineSize(1200, 1300); // all 64 rows

/// Processor time: what else the machine does counts least.
double threadMillis()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Sixty-four at a time, each of a length of its own, for so many steps.
void play(GlassScene& scene, int steps)
{
    std::mt19937 random(1);
    int chat = 0;
    const auto refill = [&] {
        const auto& scheduler = scene.engine().scheduler();
        while (scheduler.running().size() + scheduler.waiting().size() < kSequences)
            scene.ask(++chat % 64 + 1, 20 + static_cast<int>(random() % 400),
                      50 + static_cast<int>(random() % 900));
    };
    for (int done = 0; done < steps; done += 16) {
        refill();
        scene.advance(16, 16);
    }
}

void reportFrames(const char* what, GlassScene& scene, const std::function<void()>& frame)
{
    std::vector<double> millis;
    for (int i = 0; i < kFrames; ++i) {
        scene.advance(2);
        const double begin = threadMillis();
        frame();
        millis.push_back(threadMillis() - begin);
    }
    std::ranges::sort(millis);
    std::printf("%-44s p50 %6.2f ms   p99 %6.2f ms   most %6.2f ms\n", what, millis[millis.size() / 2],
                millis[millis.size() * 99 / 100], millis.back());
    std::fflush(stdout);
}

void reportTimeline(GlassScene& scene, const char* what, ui::TimelineAxis::Unit unit, double zoom)
{
    ui::TimelineCanvas canvas(&scene.glass());
    QImage image(kTimelineSize, QImage::Format_RGB32);
    canvas.layOut(kTimelineSize, QApplication::font(), QApplication::palette());
    canvas.refresh();
    canvas.axis().setUnit(unit);
    canvas.axis().zoom(zoom, 0);
    reportFrames(what, scene, [&] {
        canvas.refresh();
        QPainter painter(&image);
        canvas.paint(painter);
    });
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(ui::lightPalette());
    const int steps = argc > 1 ? std::atoi(argv[1]) : 100'000;
    SchedulerOptions options;
    options.numBlocks = 4097;
    options.maxNumSeqs = kSequences;
    GlassScene scene(options);
    play(scene, steps);
    std::printf("%zu steps kept, %zu sequences\n", scene.glass().batches().steps().size(),
                scene.glass().batches().rows().size());
    using Unit = ui::TimelineAxis::Unit;
    reportTimeline(scene, "timeline, steps, usual zoom", Unit::Steps, 1);
    reportTimeline(scene, "timeline, steps, from far away", Unit::Steps, 0.02);
    reportTimeline(scene, "timeline, steps, the whole history", Unit::Steps, 1e-9);
    reportTimeline(scene, "timeline, seconds, usual zoom", Unit::Seconds, 1);
    reportTimeline(scene, "timeline, seconds, the whole history", Unit::Seconds, 1e-9);
    ui::ThroughputPanel panel(&scene.glass());
    panel.resize(900, 700);
    panel.setDetailsShown(true);
    panel.show();
    QApplication::processEvents();
    panel.plot()->setWindowSeconds(1800);
    reportFrames("throughput, 30 minutes: data", scene,
                 [&] { (void)ui::throughputSeries(scene.glass(), 1800, panel.plot()->width() / 2); });
    reportFrames("throughput, 30 minutes: charts", scene,
                 [&] { panel.plot()->replot(QCustomPlot::rpImmediateRefresh); });
    reportFrames("throughput, 30 minutes: details", scene, [&] { panel.grab(); });
    return 0;
}
