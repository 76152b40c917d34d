// SPDX-License-Identifier: GPL-3.0-or-later
// The three docks as they are placed in the window.
#include "tests/support/glass_scene.h"
#include "tests/support/settle.h"
#include "ui/glass/batch_timeline_dock.h"
#include "ui/glass/batch_timeline_panel.h"
#include "ui/glass/batch_timeline_view.h"
#include "ui/glass/block_map_dock.h"
#include "ui/glass/block_map_panel.h"
#include "ui/glass/block_map_view.h"
#include "ui/glass/figure_strip.h"
#include "ui/glass/glass_panel.h"
#include "ui/glass/refresh_gate.h"
#include "ui/glass/throughput_details.h"
#include "ui/glass/throughput_dock.h"
#include "ui/glass/throughput_panel.h"
#include "ui/glass/throughput_plot.h"
#include "ui/models/batch_history.h"
#include "ui/models/memory_limit.h"
#include "ui/models/percent.h"
#include "ui/models/pool_sentence.h"
#include "ui/models/throughput_series.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QMainWindow>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <array>
#include <random>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

QStringList g_warnings;

void collectWarnings(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    // The offscreen platform's own words, which no window can help.
    const bool platform =
        text.contains(QLatin1String("propagateSizeHints")) || text.contains(QLatin1String("XDG_RUNTIME_DIR"));
    if (type != QtDebugMsg && type != QtInfoMsg && !platform)
        g_warnings << text;
}

struct Glass {
    explicit Glass(GlassModel* model)
        : map(new BlockMapDock(model))
        , timeline(new BatchTimelineDock(model))
        , throughput(new ThroughputDock(model))
    {
        for (QDockWidget* dock : docks())
            window.addDockWidget(Qt::RightDockWidgetArea, dock);
        window.resize(420, 900);
        window.show();
        settle();
    }

    [[nodiscard]] std::vector<QDockWidget*> docks() const { return {map, timeline, throughput}; }
    static void settle() { test::settle(kFrameInterval + std::chrono::milliseconds(100)); }

    QMainWindow window;
    BlockMapDock* map;
    BatchTimelineDock* timeline;
    ThroughputDock* throughput;
};

struct HideCount : QObject {
    explicit HideCount(QWidget& watched) { watched.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Hide;
        return false;
    }
    int count = 0;
};

} // namespace

class TestGlassDocks : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        g_warnings.clear();
        qInstallMessageHandler(collectWarnings);
    }

    void cleanup()
    {
        qInstallMessageHandler(nullptr);
        QCOMPARE(g_warnings, QStringList());
    }

    void anEmptyPanelSaysWhatItWouldShow()
    {
        GlassScene scene(SceneKind::Empty);
        const Glass glass(&scene.glass());
        for (QDockWidget* dock : glass.docks()) {
            const auto* panel = qobject_cast<GlassPanel*>(dock->widget());
            QVERIFY(panel && panel->isEmpty());
            QVERIFY(!dock->objectName().isEmpty() && !dock->windowTitle().isEmpty());
        }
    }

    void panelsFillAsSoonAsThereIsSomething()
    {
        GlassScene scene(SceneKind::Loaded);
        const Glass glass(&scene.glass());
        QVERIFY(!qobject_cast<GlassPanel*>(glass.map->widget())->isEmpty());
        QVERIFY(qobject_cast<GlassPanel*>(glass.timeline->widget())->isEmpty());
        scene.ask(1, 100, 20);
        scene.advance(3);
        for (QDockWidget* dock : glass.docks())
            QVERIFY(!qobject_cast<GlassPanel*>(dock->widget())->isEmpty());
    }

    void numbersOnScreenAreTheEngines()
    {
        SchedulerOptions options;
        options.numBlocks = 80;
        options.maxNumBatchedTokens = 128;
        options.maxNumSeqs = 8;
        GlassScene scene(options, 9);
        const Glass glass(&scene.glass());
        std::mt19937 random(9);
        for (int round = 0; round < 12; ++round) {
            for (int i = 0; i < 6; ++i)
                scene.ask(1 + static_cast<int>(random() % 4), 1 + static_cast<int>(random() % 200),
                          5 + static_cast<int>(random() % 50), static_cast<int>(random() % 64));
            scene.advance(1 + static_cast<int>(random() % 30));
            QTRY_COMPARE(differenceFromEngine(glass, scene), QString());
        }
    }

    void everyPanelShowsTheStepThatTheCursorStandsOn()
    {
        GlassScene scene(SceneKind::EightChats);
        scene.advance(600);
        const Glass glass(&scene.glass());
        const BatchHistory& batches = scene.glass().batches();
        const StepFigures old = batches.steps()[40];
        const auto chartOfHalfASecond = [&] { return throughputSeries(scene.glass(), 0.5, 100); };
        QVERIFY(glass.timeline->panel()->view()->axis().firstVisible() > old.step);
        QCOMPARE(chartOfHalfASecond().indexAt(old.endSeconds), -1);
        scene.glass().setCursor(old.step);
        Glass::settle();
        const TimelineAxis& axis = glass.timeline->panel()->view()->axis();
        QCOMPARE(scene.glass().cursor(), std::optional(old.step));
        QVERIFY(axis.firstVisible() <= old.step && axis.lastVisible() >= old.step);
        QVERIFY(chartOfHalfASecond().indexAt(old.endSeconds) >= 0);
        const FigureStrip* figures = glass.throughput->panel()->figures();
        QCOMPARE(figures->value(ThroughputPanel::Batch), QLocale().toString(old.members));
        QCOMPARE(figures->value(ThroughputPanel::Decode),
                 QLocale().toString(batches.sampledTokensPerSecondAt(old.step), 'f', 1));
        QCOMPARE(figures->value(ThroughputPanel::KvCache),
                 QLocale().toString(wholePercent(static_cast<double>(old.kvCacheUsage))));
    }

    void chartsAreDrawnOnceAnInterval()
    {
        GlassScene scene(SceneKind::EightChats);
        const Glass glass(&scene.glass());
        ThroughputPlot* plot = glass.throughput->panel()->plot();
        QSignalSpy drawn(plot, &QCustomPlot::afterReplot);
        const auto drawnBy = [&](const auto& change) {
            drawn.clear();
            change();
            plot->refresh();
            Glass::settle();
            return drawn.count();
        };
        QTRY_VERIFY(scene.glass().isIdle()); // then also the newest interval is over
        drawnBy([] {});                      // after the layout gave it its size
        QCOMPARE(drawnBy([] {}), 0);
        QVERIFY(drawnBy([&] {
                    scene.ask(1, 20, 400);
                    scene.advance(200);
                }) > 0);
        QVERIFY(drawnBy([&] { scene.glass().selection().selectChat(2); }) > 0);
        QVERIFY(drawnBy([&] { plot->setBound(MemoryBound{1e9, 1e7}); }) > 0);
    }

    /// What is measured is the processor's memory.
    void onACardNoLimitIsMeasured()
    {
        GlassScene scene(SceneKind::TwoChats);
        MemoryLimit limit;
        ThroughputDetails details(&scene.glass(), &limit);
        for (const char* backend : {"CUDA, a card", "CPU, AVX2"}) {
            ModelInfo info = scene.glass().model();
            info.backend = backend;
            scene.glass().setModel(info);
            details.refresh();
            QCOMPARE(details.measureButton()->isHidden(), info.backend.starts_with("CUDA"));
        }
    }

    void aNarrowDockShowsEveryFigure()
    {
        GlassScene scene(SceneKind::EightChats);
        const Glass glass(&scene.glass());
        const FigureStrip* figures = glass.throughput->panel()->figures();
        QVERIFY(figures->heightForWidth(figures->width()) > figures->sizeHint().height());
        QVERIFY(figures->height() >= figures->heightForWidth(figures->width()));
    }

    /// However little room there is, no figure is cut away and no chart is a line.
    void whatHasNoRoomIsNotShownInstead()
    {
        GlassScene scene(SceneKind::EightChats);
        ThroughputPanel panel(&scene.glass());
        for (const int width : {376, 300, 600}) {
            for (int height = 150; height <= 700; height += 10) {
                panel.resize(QSize(width, height).expandedTo(panel.minimumSizeHint()));
                panel.show();
                QCoreApplication::sendPostedEvents();
                QVERIFY(panel.figures()->height() >=
                        panel.figures()->heightForWidth(panel.figures()->width()));
                panel.plot()->replot();
                for (const QCPAxisRect* chart : panel.plot()->axisRects())
                    QVERIFY2(
                        chart->height() >= kSmallestChart,
                        qPrintable(
                            QStringLiteral("%1 at %2 x %3").arg(chart->height()).arg(width).arg(height)));
            }
        }
    }

    void latenciesOnScreenAreTheEngines()
    {
        GlassScene scene(SceneKind::EightChats);
        scene.advance(100'000);
        const Glass glass(&scene.glass());
        std::vector<double> ttfts = scene.engine().ttfts();
        std::sort(ttfts.begin(), ttfts.end());
        const QString expected = QLocale().toString(1000 * ttfts[(ttfts.size() + 1) / 2 - 1], 'f', 0);
        QCOMPARE(glass.throughput->panel()->figures()->value(ThroughputPanel::Ttft), expected);
    }

    void everyControlHasAnAccessibleName()
    {
        GlassScene scene(SceneKind::EightChats);
        const Glass glass(&scene.glass());
        int controls = 0;
        for (QDockWidget* dock : glass.docks())
            for (const QWidget* widget : dock->widget()->findChildren<QWidget*>()) {
                const bool control =
                    widget->focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractButton*>(widget);
                if (!control || widget->objectName().startsWith(QLatin1String("qt_")) ||
                    qobject_cast<const QScrollBar*>(widget) ||
                    widget->parentWidget()->inherits("QComboBox") ||
                    widget->parentWidget()->inherits("QComboBoxPrivateContainer"))
                    continue;
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
                ++controls;
            }
        QVERIFY(controls >= 8);
    }

    void themeAndTypeFollowTheSystem()
    {
        GlassScene scene(SceneKind::EightChats);
        const Glass glass(&scene.glass());
        const QPalette before = QApplication::palette();
        const QFont font = QApplication::font();
        for (const QPalette& palette : {darkPalette(), lightPalette()}) {
            QApplication::setPalette(palette);
            Glass::settle();
            const QColor base = palette.color(QPalette::Base);
            for (QWidget* drawn : {static_cast<QWidget*>(glass.map->panel()->view()->viewport()),
                                   static_cast<QWidget*>(glass.timeline->panel()->view()->viewport()),
                                   static_cast<QWidget*>(glass.throughput->panel()->plot())}) {
                const QImage picture = drawn->grab().toImage();
                QCOMPARE(picture.pixelColor(0, picture.height() - 1), base);
            }
        }
        QFont large = font;
        large.setPointSizeF(font.pointSizeF() * 2);
        QApplication::setFont(large);
        Glass::settle();
        QApplication::setFont(font);
        QApplication::setPalette(before);
    }

    void hiddenChartsDoNothing()
    {
        GlassScene scene(SceneKind::TwoChats);
        const Glass glass(&scene.glass());
        QSignalSpy replots(glass.throughput->panel()->plot(), &QCustomPlot::afterReplot);
        glass.throughput->hide();
        scene.advance(40);
        Glass::settle();
        QCOMPARE(replots.count(), 0);
        glass.throughput->show();
        Glass::settle();
        QVERIFY(replots.count() > 0);
    }

    void whatIsAskedForWithinAnIntervalIsDoneOnceAtItsEnd()
    {
        QWidget widget;
        widget.show();
        int refreshes = 0;
        RefreshGate gate(&widget, kChartInterval, [&refreshes] { ++refreshes; });
        for (int i = 0; i < 100; ++i)
            gate.request();
        QCOMPARE(refreshes, 1);
        QTRY_COMPARE(refreshes, 2);
        widget.hide();
        gate.request();
        settle(2 * kChartInterval);
        QCOMPARE(refreshes, 2);
        widget.show();
        QCOMPARE(refreshes, 3);
        gate.requestNow();
        QCOMPARE(refreshes, 4);
    }

    void aMinimisedWindowRefreshesNothingUntilItIsSeenAgain()
    {
        QWidget window;
        QWidget watched(&window);
        HideCount hidden(watched);
        int refreshes = 0;
        RefreshGate gate(&watched, kChartInterval, [&refreshes] { ++refreshes; });
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.showMinimized();
        QTRY_COMPARE(hidden.count, 1); // it learns of it by an event
        gate.request();
        settle(2 * kChartInterval);
        QCOMPARE(refreshes, 0);
        window.showNormal();
        QTRY_COMPARE(refreshes, 1);
    }

    /// Rows come with the steps in view: were these fewer beside a scroll bar, it would come and go for ever.
    void stepsInViewDoNotDependOnHowManyRowsThereAre()
    {
        GlassScene few(SceneKind::TwoChats);
        GlassScene many(SceneKind::Pressure);
        const Glass withFew(&few.glass());
        const Glass withMany(&many.glass());
        few.advance(40);
        many.advance(40);
        Glass::settle();
        const auto view = [](const Glass& glass) { return glass.timeline->panel()->view(); };
        QVERIFY(view(withMany)->verticalScrollBar()->maximum() > 0);
        QCOMPARE(view(withFew)->verticalScrollBar()->maximum(), 0);
        QCOMPARE(view(withFew)->viewport()->width(), view(withMany)->viewport()->width());
    }

    void oneLongStepDoesNotSetTheScaleOfTheOthers()
    {
        GlassScene scene(SceneKind::TwoChats);
        const Glass glass(&scene.glass());
        const ThroughputPlot* plot = glass.throughput->panel()->plot();
        const double before = plot->axisRects().last()->axis(QCPAxis::atLeft)->range().upper;
        auto batch = std::make_shared<StepBatch>();
        batch->steps.push_back(scene.engine().step());
        batch->steps.back().forwardMicros *= 5000;
        scene.glass().apply(batch);
        scene.advance(300);
        Glass::settle();
        const QVector<double>& longest = plot->series().longestMillis;
        QVERIFY(std::ranges::any_of(longest, [before](double millis) { return millis > 3 * before; }));
        QVERIFY(plot->axisRects().last()->axis(QCPAxis::atLeft)->range().upper <= 3 * before);
    }

    void aWarningStaysWhereTheViewCannotBeTrusted()
    {
        GlassScene scene(SceneKind::TwoChats);
        const Glass glass(&scene.glass());
        auto batch = std::make_shared<StepBatch>();
        batch->steps.push_back(scene.engine().step());
        batch->steps.back().poolChecksum ^= 1;
        scene.glass().apply(batch);
        Glass::settle();
        const auto labels = glass.map->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [&scene](const QLabel* label) {
            return label->isVisible() && label->text() == traceWarning(scene.glass());
        }));
    }

private:
    /// Empty where all that is shown is what the engine has.
    static QString differenceFromEngine(const Glass& glass, GlassScene& scene)
    {
        const BlockPool& pool = scene.engine().scheduler().pool();
        int active = 0;
        int cached = 0;
        qsizetype entries = 0;
        for (std::uint32_t id = 1; id < static_cast<std::uint32_t>(pool.numBlocks()); ++id) {
            const BlockState& state = pool.state(BlockId{id});
            active += state.refCount > 0;
            cached += state.refCount == 0 && state.hashed;
        }
        for (const Sequence* sequence : scene.engine().scheduler().running())
            entries += std::ssize(sequence->blockTable.blocks);
        const int usable = pool.numBlocks() - 1;
        const auto percents =
            wholePercents(std::array<std::int64_t, 3>{active, cached, usable - active - cached});
        QStringList wanted{QStringLiteral("active %1 %").arg(percents[0]),
                           QStringLiteral("cached-free %1 %").arg(percents[1]),
                           QStringLiteral("clean-free %1 %").arg(percents[2]),
                           QStringLiteral("sharing %1")
                               .arg(QLocale().toString(active > 0 ? double(entries) / active : 0, 'f', 2))};
        for (const QLabel* label : glass.map->findChildren<QLabel*>())
            wanted.removeAll(label->text());
        const FigureStrip* figures = glass.throughput->panel()->figures();
        const auto members = std::ssize(scene.engine().scheduler().currentPlan().members);
        const QString batch = QLocale().toString(scene.glass().isIdle() ? 0 : members); // a second later
        if (figures->value(ThroughputPanel::KvCache) != QLocale().toString(percents[0]))
            wanted << QStringLiteral("KV cache");
        if (figures->value(ThroughputPanel::Batch) != batch)
            wanted << QStringLiteral("batch of %1").arg(batch);
        const QString status = QStringLiteral("%1 run, %2 wait")
                                   .arg(scene.engine().scheduler().running().size())
                                   .arg(scene.engine().scheduler().waiting().size());
        if (!glass.timeline->panel()->status().startsWith(status))
            wanted << status;
        return wanted.join(QStringLiteral("; "));
    }
};

QTEST_MAIN(TestGlassDocks)
#include "test_glass_docks.moc"
