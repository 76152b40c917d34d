// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "ui/models/batch_history.h"
#include "ui/models/playback.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recording_file.h"
#include "ui/window/recording_actions.h"
#include "ui/window/replay_window.h"
#include "ui/window/transport_bar.h"

#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

constexpr int kReadMillis = 20'000;

} // namespace

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
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kReadMillis);
        QCOMPARE(window.glass().cursorRange()->last, last);
        QVERIFY(!window.isReading());
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
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kReadMillis);
        QVERIFY(actions.saveAction()->isEnabled());
        const Result<RecordingContents> opened = openRecording(path, [](double) { return true; });
        QVERIFY(opened);
        QCOMPARE(opened->recording.newest()->stepCount(), recording.newest()->stepCount());
        actions.write(saveRecording, m_folder.filePath("no/where"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kReadMillis);
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
        QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kReadMillis);
    }

    QTemporaryDir m_folder;
    QString m_file;
    GlassScene m_scene{SceneKind::EightChats};
};

QTEST_MAIN(TestReplayWindow)
#include "test_replay_window.moc"
