// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "ui/glass/batch_timeline_view.h"
#include "ui/models/glass_model.h"

#include <QSignalSpy>
#include <QtTest>

#include <cmath>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

void show(QWidget& widget, QSize size)
{
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QTest::qWait(120); // one throttled refresh
}

QPoint pointOf(const BatchTimelineView& view, std::size_t row, std::uint64_t step)
{
    // By search: what the view says about a point is what is tested.
    const QString wanted = QStringLiteral("(sequence %1)").arg(view.rows().at(row).value);
    const QString stepText = QStringLiteral("Step %1:").arg(QLocale().toString(static_cast<qint64>(step)));
    for (int y = 0; y < view.viewport()->height(); y += 4)
        for (int x = 0; x < view.viewport()->width(); x += 2) {
            const QString text = view.describeAt({x, y});
            if (text.contains(wanted) && text.contains(stepText))
                return {x, y};
        }
    return {-1, -1};
}

} // namespace

class TestBatchTimelineView : public QObject {
    Q_OBJECT
private slots:
    void theAxisFollowsTheNewestStep()
    {
        TimelineAxis axis;
        axis.setWidth(300);
        axis.setSteps(1, 1000);
        QCOMPARE(axis.xOf(1001), 300.0);
        axis.setSteps(1, 1001);
        QCOMPARE(axis.xOf(1002), 300.0);
        QCOMPARE(axis.lastVisible(), std::uint64_t{1001});
    }

    void scrollingBackEndsFollowing()
    {
        TimelineAxis axis;
        axis.setWidth(300);
        axis.setSteps(1, 1000);
        axis.scroll(600);
        QVERIFY(!axis.following());
        const double at = axis.stepAt(150);
        axis.setSteps(1, 1100);
        QCOMPARE(axis.stepAt(150), at);
        axis.scroll(1e9);
        QCOMPARE(axis.firstVisible(), std::uint64_t{1});
        QCOMPARE(axis.xOf(1), 0.0);
        axis.follow();
        QCOMPARE(axis.lastVisible(), std::uint64_t{1100});
    }

    void zoomKeepsWhatIsUnderThePointer()
    {
        TimelineAxis axis;
        axis.setWidth(300);
        axis.setSteps(1, 100'000);
        axis.scroll(2000);
        const double under = axis.stepAt(100);
        axis.zoom(2, 100);
        QVERIFY(std::abs(axis.stepAt(100) - under) < 1e-6);
        axis.zoom(1e-9, 100);
        QVERIFY(axis.firstVisible() == 1 && axis.lastVisible() == 100'000);
        axis.zoom(1e9, 100);
        QCOMPARE(axis.pixelsPerStep(), TimelineAxis::kLargestStep);
    }

    void revealScrollsAsLittleAsNeeded()
    {
        TimelineAxis axis;
        axis.setWidth(300); // 50 steps
        axis.setSteps(1, 1000);
        axis.reveal(970);
        QVERIFY(axis.following());
        axis.reveal(500);
        QCOMPARE(axis.firstVisible(), std::uint64_t{500});
        axis.reveal(549);
        QCOMPARE(axis.firstVisible(), std::uint64_t{500});
        axis.reveal(550);
        QCOMPARE(axis.lastVisible(), std::uint64_t{550});
    }

    void hoveringTellsWhyAndWhat()
    {
        GlassScene scene(SceneKind::Pressure);
        BatchTimelineView view(&scene.glass());
        show(view, {900, 700});
        int checked = 0;
        for (std::size_t row = 0; row < std::min<std::size_t>(view.rows().size(), 20); ++row) {
            const std::uint64_t step = scene.glass().batches().lastStep();
            const BatchSpan* span = scene.glass().batches().row(view.rows()[row])->spanAt(step);
            if (!span)
                continue;
            const QPoint point = pointOf(view, row, step);
            QVERIFY(point.x() >= 0);
            const QString text = view.describeAt(point);
            QVERIFY2(text.contains(phaseName(span->cell.phase)), qPrintable(text));
            if (isWaiting(span->cell.phase))
                QVERIFY(text.contains(describeWait(span->cell.reason, span->cell.need, span->cell.have)));
            ++checked;
        }
        QVERIFY(checked > 10);
    }

    void aClickSetsTheSharedCursorAndAnotherTakesItAway()
    {
        GlassScene scene(SceneKind::TwoChats);
        BatchTimelineView view(&scene.glass());
        show(view, {600, 300});
        const std::uint64_t step = scene.glass().batches().lastStep() - 10;
        const QPoint point = pointOf(view, 0, step);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, point);
        QCOMPARE(scene.glass().cursor(), std::optional(step));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, point);
        QCOMPARE(scene.glass().cursor(), std::optional<std::uint64_t>());
    }

    void draggingScrollsAndSetsNoCursor()
    {
        GlassScene scene(SceneKind::TwoChats);
        BatchTimelineView view(&scene.glass());
        show(view, {600, 300});
        QSignalSpy following(&view, &BatchTimelineView::followingChanged);
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, {400, 100});
        QMouseEvent move(QEvent::MouseMove, QPointF(460, 100),
                         view.viewport()->mapToGlobal(QPointF(460, 100)), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(view.viewport(), &move);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, {460, 100});
        QVERIFY(!view.axis().following());
        QVERIFY(!scene.glass().cursor());
        QCOMPARE(following.count(), 1);
        view.follow();
        QVERIFY(view.axis().following());
        QCOMPARE(following.count(), 2);
    }

    void theKeyboardMovesTheCursorAndReadsTheStep()
    {
        GlassScene scene(SceneKind::TwoChats);
        BatchTimelineView view(&scene.glass());
        show(view, {600, 300});
        const std::uint64_t last = scene.glass().batches().lastStep();
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(scene.glass().cursor(), std::optional(last));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(scene.glass().cursor(), std::optional(last - 1));
        QVERIFY(view.accessibleDescription().contains(QLocale().toString(qint64(last - 1))));
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&view, Qt::Key_PageUp);
        QCOMPARE(scene.glass().cursor(), std::optional(scene.glass().batches().firstStep()));
        QVERIFY(view.axis().firstVisible() == scene.glass().batches().firstStep());
        QTest::keyClick(&view, Qt::Key_End);
        QVERIFY(view.axis().following() && !scene.glass().cursor());
    }

    /// Decimated to pixels: from far away a row of a hundred thousand steps is still drawn where it was busy.
    void aLongHistoryIsDrawnWhole()
    {
        ui::SequenceDirectory directory;
        GlassModel glass(&directory);
        auto batch = std::make_shared<StepBatch>();
        for (std::uint64_t step = 1; step <= 100'000; ++step) {
            StepRecord record;
            record.step = step;
            record.beginSeconds = static_cast<double>(step);
            record.endSeconds = record.beginSeconds + 1;
            record.tokenBudget = 64;
            for (std::uint32_t sequence = 1; sequence <= 8; ++sequence)
                if ((step + sequence) % 3 != 0 && step > 50'000)
                    record.events.push_back(
                        event::Member{SequenceId{sequence}, MemberKind::Decode, 1, 0, true});
            batch->steps.push_back(std::move(record));
        }
        glass.apply(batch);
        BatchTimelineView view(&glass);
        show(view, {500, 300});
        view.zoom(1e-9);
        QCOMPARE(view.axis().firstVisible(), std::uint64_t{1});
        const QImage picture = view.viewport()->grab().toImage();
        const QColor grey = sequenceColor(kNeutralSlot, shadeOf(view.palette()));
        int busy = 0;
        int still = 0;
        const int left = view.viewport()->width() - view.axis().width();
        for (int x = 0; x < view.axis().width(); ++x) {
            bool drawn = false;
            for (int y = 45; y < 65; ++y)
                drawn = drawn || picture.pixelColor(left + x, y) == grey;
            (x < view.axis().width() / 2 ? still : busy) += drawn;
        }
        QVERIFY(busy > view.axis().width() / 2 - 4);
        QVERIFY(still < 4);
    }
};

QTEST_MAIN(TestBatchTimelineView)
#include "test_batch_timeline_view.moc"
