// SPDX-License-Identifier: GPL-3.0-or-later
// A developer's tool: writes pictures of the glass under realistic loads, to be looked at. No test.
//   glass_pictures OUT_DIR [SCENE]
#include "tests/support/glass_scene.h"
#include "ui/glass/batch_timeline_dock.h"
#include "ui/glass/batch_timeline_panel.h"
#include "ui/glass/batch_timeline_view.h"
#include "ui/glass/block_map_dock.h"
#include "ui/glass/block_map_panel.h"
#include "ui/glass/block_map_view.h"
#include "ui/glass/throughput_dock.h"
#include "ui/models/batch_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recording_file.h"
#include "ui/theme/theme.h"
#include "ui/window/replay_window.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QMainWindow>
#include <QTemporaryDir>
#include <QThread>
#include <QTranslator>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace vitrine;
using namespace vitrine::test;

namespace {

struct Shot {
    const char* name;
    SceneKind kind;
    QSize size;
    bool dark;
    double fontScale = 1;
    bool legends = false;
    ui::BlockOrder order = ui::BlockOrder::Address;
    bool freeRuns = false;
    bool deutan = false;        ///< as seen without the cones for green
    bool time = false;          ///< the timeline by time
    bool atAPreemption = false; ///< the cursor on the last of them
    bool marked = false;        ///< somebody points at a shared block
};

double linear(int channel)
{
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

int encoded(double c)
{
    c = std::clamp(c, 0.0, 1.0);
    return static_cast<int>(
        std::lround(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055)));
}

/// Machado, Oliveira, Fernandes 2009, table 1: deuteranopia, on linear RGB.
QImage deutanView(QImage image)
{
    image = image.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const double r = linear(qRed(line[x])), g = linear(qGreen(line[x])), b = linear(qBlue(line[x]));
            line[x] = qRgb(encoded(0.367322 * r + 0.860646 * g - 0.227968 * b),
                           encoded(0.280085 * r + 0.672501 * g + 0.047413 * b),
                           encoded(-0.011820 * r + 0.042940 * g + 0.968881 * b));
        }
    }
    return image;
}

void showPreemption(ui::GlassModel& glass)
{
    for (const auto& step : glass.batches().steps())
        if (step.preemptions > 0)
            glass.setCursor(step.step);
}

void markShared(ui::GlassModel& glass)
{
    for (const auto& [sequence, table] : glass.pool().tables())
        if (glass.pool().owners(table.front()).size() > 1)
            return glass.selection().setBlocks({table.front()});
}

void settle()
{
    // Queued replots and throttled refreshes.
    for (int i = 0; i < 12; ++i) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(15);
    }
}

void take(const Shot& shot, const QDir& directory)
{
    QApplication::setPalette(shot.dark ? ui::darkPalette() : ui::lightPalette());
    QFont font = QApplication::font();
    const double normal = font.pointSizeF();
    font.setPointSizeF(normal * shot.fontScale);
    QApplication::setFont(font);

    GlassScene scene(shot.kind);
    QMainWindow window;
    auto* map = new ui::BlockMapDock(&scene.glass());
    auto* timeline = new ui::BatchTimelineDock(&scene.glass());
    auto* throughput = new ui::ThroughputDock(&scene.glass());
    for (QDockWidget* dock : {static_cast<QDockWidget*>(map), static_cast<QDockWidget*>(timeline),
                              static_cast<QDockWidget*>(throughput)})
        window.addDockWidget(Qt::RightDockWidgetArea, dock);
    if (shot.size.width() > 1000) {
        window.setCentralWidget(new QLabel(QStringLiteral("conversation")));
        window.resizeDocks({map}, {shot.size.width() / 2}, Qt::Horizontal);
    }
    map->panel()->view()->setOrder(shot.order);
    map->panel()->setFreeRunsShown(shot.freeRuns);
    scene.glass().selection().selectChat(2);
    map->panel()->setLegendShown(shot.legends);
    timeline->panel()->setLegendShown(shot.legends);
    window.resize(shot.size);
    window.show();
    if (shot.kind > SceneKind::Loaded)
        scene.advance(60, 1);
    settle();
    const QString file = directory.filePath(QLatin1String(shot.name) + QLatin1String(".png"));
    timeline->panel()->view()->setShowsTime(shot.time);
    if (shot.atAPreemption)
        showPreemption(scene.glass());
    if (shot.marked)
        markShared(scene.glass());
    settle();
    const QImage picture = window.grab().toImage();
    (shot.deutan ? deutanView(picture) : picture).save(file);
    std::printf("%s\n", qPrintable(file));
    font.setPointSizeF(normal);
    QApplication::setFont(font);
}

/// The step after which the tokens a second fell most, and not for a rest.
std::uint64_t greatestFall(const ui::GlassModel& glass)
{
    std::uint64_t step = 0;
    double greatest = 0;
    double before = 0;
    for (const ui::StepFigures& figures : glass.batches().steps()) {
        const double rate = figures.sampledTokens / (figures.endSeconds - figures.beginSeconds);
        if (glass.cursorRange()->first < figures.step && before - rate > greatest) {
            greatest = before - rate;
            step = figures.step;
        }
        before = rate;
    }
    return step;
}

/// A recording, at the step where the curve fell.
void takeReplay(const char* name, SceneKind kind, QSize size, bool dark, const QDir& directory)
{
    QApplication::setPalette(dark ? ui::darkPalette() : ui::lightPalette());
    GlassScene scene(kind);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("afternoon.vitrine-recording"));
    const ui::RecordingContents contents{
        ui::aboutNow(scene.glass().model(), EngineOptions{}, scene.directory()), scene.glass().recording()};
    if (!ui::saveRecording(contents, file, [](double) { return true; }))
        return;
    ui::ReplayWindow window;
    window.resize(size);
    window.show();
    window.open(file);
    while (window.isReading())
        settle();
    window.glass().setCursor(greatestFall(window.glass()));
    for (int i = 0; i < 3; ++i) // what the step changed moves for a moment
        settle();
    const QString picture = directory.filePath(QLatin1String(name) + QLatin1String(".png"));
    window.grab().save(picture);
    std::printf("%s\n", qPrintable(picture));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QTranslator words; // English has its plural forms there
    if (words.load(qEnvironmentVariable("VITRINE_PICTURES_WORDS", QStringLiteral(":/i18n/vitrine_en.qm"))))
        QCoreApplication::installTranslator(&words);
    QApplication::setStyle(QStringLiteral("Fusion"));
    const QDir directory(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("."));
    const QString only = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QString();
    constexpr QSize kNarrow(420, 900);
    constexpr QSize kWide(2560, 1440);
    const Shot shots[] = {
        {"empty-light", SceneKind::Empty, kNarrow, false},
        {"loaded-dark", SceneKind::Loaded, kNarrow, true},
        {"two-light", SceneKind::TwoChats, kNarrow, false},
        {"two-dark", SceneKind::TwoChats, kNarrow, true},
        {"eight-light", SceneKind::EightChats, kNarrow, false},
        {"eight-dark", SceneKind::EightChats, kNarrow, true},
        {.name = "eight-marked",
         .kind = SceneKind::EightChats,
         .size = {900, 1300},
         .dark = false,
         .marked = true},
        {"eight-wide-light", SceneKind::EightChats, kWide, false},
        {"pressure-light", SceneKind::Pressure, kNarrow, false},
        {"pressure-dark", SceneKind::Pressure, kNarrow, true},
        {"pressure-deutan",
         SceneKind::Pressure,
         {900, 1300},
         false,
         1,
         false,
         ui::BlockOrder::Address,
         false,
         true},
        {"pressure-cursor",
         SceneKind::Pressure,
         {900, 1300},
         false,
         1,
         false,
         ui::BlockOrder::Address,
         false,
         false,
         false,
         true},
        {"pressure-time",
         SceneKind::Pressure,
         {900, 1300},
         true,
         1,
         false,
         ui::BlockOrder::Address,
         false,
         false,
         true},
        {"static-large", SceneKind::Static, {900, 1300}, false},
        {"eight-time",
         SceneKind::EightChats,
         {900, 1300},
         false,
         1,
         false,
         ui::BlockOrder::Address,
         false,
         false,
         true},
        {"pressure-wide-dark", SceneKind::Pressure, kWide, true},
        {"static-light", SceneKind::Static, kNarrow, false},
        {"contiguous-light", SceneKind::Contiguous, kNarrow, false, 1, false, ui::BlockOrder::Address, true},
        {"contiguous-sequence-dark", SceneKind::Contiguous, kNarrow, true, 1, false,
         ui::BlockOrder::Sequence},
        {"eight-sequence-light", SceneKind::EightChats, kNarrow, false, 1, false, ui::BlockOrder::Sequence},
        {"eight-eviction-dark", SceneKind::EightChats, kNarrow, true, 1, false, ui::BlockOrder::Eviction,
         true},
        {"pressure-sequence-light", SceneKind::Pressure, kNarrow, false, 1, false, ui::BlockOrder::Sequence},
        {"vast-light", SceneKind::Vast, kNarrow, false, 1, false, ui::BlockOrder::Address, true},
        {"vast-wide-dark", SceneKind::Vast, kWide, true},
        {"vast-sequence-light", SceneKind::Vast, kNarrow, false, 1, false, ui::BlockOrder::Sequence},
        {"low-light", SceneKind::EightChats, {420, 600}, false},
        {"legend-light", SceneKind::EightChats, {420, 1300}, false, 1, true},
        {"large-type-dark", SceneKind::EightChats, {640, 1300}, true, 1.7},
    };
    for (const Shot& shot : shots)
        if (only.isEmpty() || QLatin1String(shot.name).startsWith(only))
            take(shot, directory);
    const auto replay = [&](const char* name, SceneKind kind, QSize size, bool dark) {
        if (only.isEmpty() || QLatin1String(name).startsWith(only))
            takeReplay(name, kind, size, dark, directory);
    };
    replay("replay-light", SceneKind::EightChats, {1280, 800}, false);
    replay("replay-dark", SceneKind::EightChats, {1280, 800}, true);
    replay("replay-pressure", SceneKind::Pressure, {1280, 800}, false);
    replay("replay-middle", SceneKind::Pressure, {1024, 700}, false);
    replay("replay-static", SceneKind::Static, {1280, 800}, false);
    replay("replay-small", SceneKind::EightChats, {100, 100}, false);
    return 0;
}
