// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "tests/support/patience.h"
#include "tests/support/settle.h"
#include "ui/glass/throughput_plot.h"
#include "ui/models/batch_history.h"
#include "ui/models/playback.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recording_file.h"
#include "ui/theme/elided_label.h"
#include "ui/window/notice_banner.h"
#include "ui/window/recording_actions.h"
#include "ui/window/replay_window.h"
#include "ui/window/transport_bar.h"

#include <QAction>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::test;
using namespace std::chrono_literals;
using namespace vitrine::ui;

class TestReplayWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_file = m_folder.filePath("eight.vitrine-recording");
        const Recording& recording = m_scene.glass().recording();
        const RecordingContents contents{
            aboutNow(m_scene.glass().model(), EngineOptions{}, m_scene.directory()), recording};
        QVERIFY(saveRecording(contents, m_file, [](double) { return true; }));
    }

    void showsWhatWasRecordedFromItsFirstStepOn()
    {
        ReplayWindow window;
        window.show();
        open(window);
        GlassModel& glass = window.glass();
        QVERIFY(glass.isReplay() && glass.hasPool());
        QCOMPARE(glass.cursor().value(), glass.cursorRange()->first);
        QCOMPARE(glass.batches().steps().size(), m_scene.glass().batches().steps().size());
        QCOMPARE(glass.directory().label(SequenceId{1}).title,
                 m_scene.directory().label(SequenceId{1}).title);
        QVERIFY(window.windowTitle().contains("eight.vitrine-recording"));
        glass.setCursor(glass.cursorRange()->last);
        QVERIFY(glass.pool().snapshot().blocks == m_scene.glass().newestPool().snapshot().blocks);
        QCOMPARE(glass.figures(), m_scene.glass().newestFigures());
    }

    /// Its oldest segments had left the memory when it was saved.
    void saysWhereItBeginsIfNotAtTheFirstStep()
    {
        ReplayWindow window;
        open(window);
        const auto* about = window.centralWidget()->findChild<ElidedLabel*>();
        QVERIFY2(!about->text().contains("from step"), qPrintable(about->text()));
        const Recording& all = m_scene.glass().recording();
        const RecordingPart& part = *all.newest();
        QVERIFY(part.segmentCount() > 1);
        Recording later;
        for (std::size_t i = 1; i < part.segmentCount(); ++i)
            later.add(part.generation, part.blockSize, part.numBlocks,
                      std::make_shared<const RecordingSegment>(part.segment(i)));
        const QString path = m_folder.filePath("later.vitrine-recording");
        QVERIFY(saveRecording({{}, later}, path, [](double) { return true; }));
        QSignalSpy opened(&window, &ReplayWindow::opened);
        window.open(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatienceMillis);
        const QString from = QStringLiteral("from step %1 on").arg(part.segment(1).snapshotStep + 1);
        QVERIFY2(about->text().contains(from), qPrintable(about->text()));
    }

    void atEverySizeNothingLiesUponAnother_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(100, 100), QSize(560, 420), QSize(720, 480), QSize(1024, 700),
                                 QSize(1280, 800), QSize(2560, 1440)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }

    void atEverySizeNothingLiesUponAnother()
    {
        QFETCH(QSize, size);
        ReplayWindow window;
        window.resize(size);
        window.show();
        open(window);
        const auto fits = [&window, size] {
            window.resize(size); // as tabs they need less, once they know that they are
            return window.width() <= std::max(size.width(), 560) &&
                   window.height() <= std::max(size.height(), 480);
        };
        QTRY_VERIFY_WITH_TIMEOUT(fits(), kPatienceMillis);
        settle(1ms);
        QList<QWidget*> parts{window.centralWidget(), window.menuBar(), window.transport().parentWidget()};
        for (QDockWidget* dock : window.findChildren<QDockWidget*>())
            parts << dock;
        for (const QWidget* part : std::as_const(parts)) {
            if (part->visibleRegion().isEmpty())
                continue; // behind a tab
            const QByteArray name = part->windowTitle().toUtf8() + ' ' + part->metaObject()->className();
            QVERIFY2(window.rect().contains(part->geometry()), name.constData());
            QVERIFY2(part->width() >= part->minimumSizeHint().width() &&
                         part->height() >= part->minimumSizeHint().height(),
                     name.constData());
            for (const QWidget* other : std::as_const(parts))
                QVERIFY2(other == part || other->visibleRegion().isEmpty() ||
                             !part->geometry().intersects(other->geometry()),
                         name.constData());
        }
    }

    void inANarrowWindowThePanelsAreTabs()
    {
        ReplayWindow window;
        window.resize(1280, 800);
        window.show();
        open(window);
        const auto shown = [&window] {
            const auto docks = window.findChildren<QDockWidget*>();
            return std::ranges::count_if(
                docks, [](const QDockWidget* dock) { return !dock->visibleRegion().isEmpty(); });
        };
        QTRY_COMPARE(shown(), 3);
        window.resize(600, 500);
        QTRY_COMPARE(shown(), 1);
        window.resize(1280, 800);
        QTRY_COMPARE(shown(), 3);
    }

    void itsChartsShowAllOfIt()
    {
        ReplayWindow window;
        window.show();
        open(window);
        const auto& steps = window.glass().batches().steps();
        const auto* plot = window.findChild<ThroughputPlot*>();
        const double seconds = steps.back().endSeconds - steps.front().beginSeconds;
        for (const std::uint64_t step :
             {steps.front().step, steps[steps.size() / 2].step, steps.back().step}) {
            window.glass().setCursor(step);
            settle(200ms);
            const ThroughputSeries& series = plot->series();
            QVERIFY(!series.seconds.isEmpty());
            const double half = series.intervalSeconds / 2;
            QVERIFY2(series.seconds.front() - half <= steps.front().beginSeconds + 1e-9 &&
                         series.seconds.back() + half >= steps.back().endSeconds - 2 * half,
                     qPrintable(QStringLiteral("%1 to %2 of %3")
                                    .arg(series.seconds.front())
                                    .arg(series.seconds.back())
                                    .arg(seconds)));
        }
    }

    void everythingCanBeReachedByTheKeyboard()
    {
        ReplayWindow window;
        window.show();
        open(window);
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const GlassModel& glass = window.glass();
        const StepRange range = *glass.cursorRange();
        QTest::keyClick(&window, Qt::Key_F8);
        QTest::keyClick(&window, Qt::Key_F8);
        QCOMPARE(glass.cursor().value(), range.first + 2);
        QTest::keyClick(&window, Qt::Key_F7);
        QCOMPARE(glass.cursor().value(), range.first + 1);
        QTest::keyClick(&window, Qt::Key_F8, Qt::ShiftModifier);
        QCOMPARE(glass.cursor().value(), range.last);
        QTest::keyClick(&window, Qt::Key_F7, Qt::ShiftModifier);
        QCOMPARE(glass.cursor().value(), range.first);
        auto* slider = window.findChild<QSlider*>();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(glass.cursor().value(), range.first + 1);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(glass.cursor().value(), range.first + 101);
        for (const QWidget* widget : window.transport().findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || widget->parent() != &window.transport())
                continue;
            const auto* button = qobject_cast<const QToolButton*>(widget);
            QVERIFY2(button ? !button->text().isEmpty() : !widget->accessibleName().isEmpty(),
                     widget->metaObject()->className());
        }
    }

    void itCanBePlayedAtOnce()
    {
        ReplayWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        open(window);
        const GlassModel& glass = window.glass();
        const std::uint64_t first = glass.cursor().value();
        const auto press = [&window](Qt::Key key) { QTest::keyClick(window.focusWidget(), key); };
        press(Qt::Key_Right);
        QCOMPARE(glass.cursor().value(), first + 1);
        press(Qt::Key_Space);
        QVERIFY(window.transport().playback().isPlaying());
        press(Qt::Key_Space);
        QVERIFY(!window.transport().playback().isPlaying());
        press(Qt::Key_Home);
        QCOMPARE(glass.cursor().value(), first);
    }

    /// Not a page in its direction.
    void aClickOnTheSliderGoesToWhatWasClicked_data()
    {
        QTest::addColumn<double>("share");
        for (const double share : {0.0, 0.1, 0.5, 0.77, 1.0})
            QTest::addRow("%g", share) << share;
    }

    void aClickOnTheSliderGoesToWhatWasClicked()
    {
        QFETCH(double, share);
        ReplayWindow window;
        window.show();
        open(window);
        const GlassModel& glass = window.glass();
        const StepRange range = *glass.cursorRange();
        auto* slider = window.findChild<QSlider*>();
        const int x = std::clamp(int(share * slider->width()), 1, slider->width() - 2);
        QTest::mouseClick(slider, Qt::LeftButton, {}, {x, slider->height() / 2});
        const double gone = double(*glass.cursor() - range.first) / double(range.last - range.first);
        QVERIFY2(std::abs(gone - share) < 0.02, qPrintable(QString::number(gone)));
        // and the handle is held from there
        QTest::mousePress(slider, Qt::LeftButton, {}, {slider->width() / 4, slider->height() / 2});
        QTest::mouseMove(slider, {slider->width() / 2, slider->height() / 2});
        QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->width() / 2, slider->height() / 2});
        const double dragged = double(*glass.cursor() - range.first) / double(range.last - range.first);
        QVERIFY2(std::abs(dragged - 0.5) < 0.02, qPrintable(QString::number(dragged)));
    }

    void whatIsAskedForMeanwhileIsShownInstead()
    {
        const QString other = m_folder.filePath("two.vitrine-recording");
        GlassScene two(SceneKind::TwoChats);
        const RecordingContents contents{aboutNow(two.glass().model(), EngineOptions{}, two.directory()),
                                         two.glass().recording()};
        QVERIFY(saveRecording(contents, other, [](double) { return true; }));
        ReplayWindow window;
        QSignalSpy opened(&window, &ReplayWindow::opened);
        QSignalSpy failed(&window, &ReplayWindow::failed);
        window.open(m_file);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(other)});
        QDragEnterEvent enter({40, 30}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(40, 30), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatienceMillis);
        QVERIFY2(window.windowTitle().contains("two.vitrine-recording"), qPrintable(window.windowTitle()));
        QVERIFY(!window.isReading());
        QCOMPARE(failed.size(), 0);
    }

    void playsAsTimePasses()
    {
        ReplayWindow window;
        open(window);
        GlassModel& glass = window.glass();
        Playback& playback = window.transport().playback();
        const StepRange range = *glass.cursorRange();
        playback.play();
        QVERIFY(playback.isPlaying());
        const double begin = glass.shownStepFigures()->endSeconds;
        playback.advance(0.5);
        const double after = glass.shownStepFigures()->endSeconds;
        QVERIFY2(after > begin + 0.4 && after <= begin + 0.5, qPrintable(QString::number(after - begin)));
        playback.setSpeed(10);
        playback.advance(0.1);
        QVERIFY(glass.shownStepFigures()->endSeconds > after + 0.8);
        playback.setSpeed({});
        const std::uint64_t step = glass.cursor().value();
        playback.advance(5);
        QCOMPARE(glass.cursor().value(), step + 1);
        playback.setSpeed(100);
        playback.advance(1000);
        QCOMPARE(glass.cursor().value(), range.last);
        QVERIFY(!playback.isPlaying());
        playback.play(); // from the start again
        QCOMPARE(glass.cursor().value(), range.first);
    }

    void aPlainRestIsNotWaitedFor()
    {
        GlassScene scene(SceneKind::TwoChats);
        scene.engine().rest(3600);
        scene.ask(1, 20, 5);
        scene.advance(5);
        GlassModel& glass = scene.glass();
        Playback playback(glass);
        const std::uint64_t last = glass.cursorRange()->last;
        glass.setCursor(last - 5);
        playback.play();
        for (int i = 0; i < 20 && playback.isPlaying(); ++i)
            playback.advance(0.1);
        QVERIFY(!playback.isPlaying());
        QVERIFY(!glass.cursor()); // an engine is followed again
    }

    void whatCannotBeOpenedLeavesWhatIsShown()
    {
        ReplayWindow window;
        open(window);
        const std::uint64_t last = window.glass().cursorRange()->last;
        QSignalSpy failed(&window, &ReplayWindow::failed);
        window.open(m_folder.filePath("none.vitrine-recording"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatienceMillis);
        QCOMPARE(window.glass().cursorRange()->last, last);
        QVERIFY(!window.isReading());
        QVERIFY(!window.banner().isHidden());
        open(window);
        QVERIFY(window.banner().isHidden()); // what opens takes back that it did not
    }

    void savingGoesOnBesideTheWindow()
    {
        QWidget window;
        const Recording& recording = m_scene.glass().recording();
        RecordingActions actions(&window, [&] { return RecordingContents{{}, recording}; });
        QSignalSpy written(&actions, &RecordingActions::written);
        QSignalSpy failed(&actions, &RecordingActions::failed);
        const QString path = m_folder.filePath("again.vitrine-recording");
        actions.write(saveRecording, path);
        QVERIFY(actions.isWriting() && !actions.saveAction()->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatienceMillis);
        QVERIFY(actions.saveAction()->isEnabled());
        const Result<RecordingContents> opened = openRecording(path, [](double) { return true; });
        QVERIFY(opened);
        QCOMPARE(opened->recording.newest()->stepCount(), recording.newest()->stepCount());
        actions.write(saveRecording, m_folder.filePath("no/where"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatienceMillis);
        QVERIFY(actions.saveAction()->isEnabled());
        QCOMPARE(written.size(), 1);
    }

    /// The bar beside an engine: it says that the newest step is not shown, and leads back.
    void besideAnEngineTheNewestCanBeFollowedAgain()
    {
        GlassScene scene(SceneKind::EightChats);
        TransportBar bar(scene.glass(), TransportBar::Beside::Engine);
        bar.show();
        const std::uint64_t last = scene.glass().cursorRange()->last;
        QVERIFY2(bar.text().contains("Following"), qPrintable(bar.text()));
        QAction* follow = bar.actions().last();
        QVERIFY(!follow->isEnabled());
        bar.playback().step(-10);
        QCOMPARE(scene.glass().cursor().value(), last - 10);
        QVERIFY2(bar.text().startsWith("Showing step"), qPrintable(bar.text()));
        scene.advance(3);
        QCOMPARE(scene.glass().cursor().value(), last - 10);
        QVERIFY(follow->isEnabled());
        follow->trigger();
        QVERIFY(!scene.glass().cursor());
        QCOMPARE(scene.glass().shownStep(), last + 3);
    }

private:
    void open(ReplayWindow& window)
    {
        QSignalSpy opened(&window, &ReplayWindow::opened);
        window.open(m_file);
        QVERIFY(window.isReading());
        QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatienceMillis);
    }

    QTemporaryDir m_folder;
    QString m_file;
    GlassScene m_scene{SceneKind::EightChats};
};

QTEST_MAIN(TestReplayWindow)
#include "test_replay_window.moc"
