// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "tests/support/settle.h"
#include "ui/glass/batch_timeline_view.h"
#include "ui/glass/glass_colors.h"
#include "ui/glass/refresh_gate.h"
#include "ui/glass/timeline_canvas.h"
#include "ui/glass/timeline_links.h"
#include "ui/models/batch_description.h"
#include "ui/models/glass_model.h"
#include "ui/models/metrics_history.h"

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;
using namespace std::chrono_literals;

namespace {

void show(QWidget& widget, QSize size)
{
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    settle(120ms); // one throttled refresh
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
    /// What the line below the rows says adds up with what the panel's first line says.
    void whoIsBelowTheRowsInViewIsCountedAtTheStepShown()
    {
        GlassScene scene(SceneKind::Pressure);
        scene.advance(60);
        TimelineCanvas canvas(&scene.glass());
        canvas.layOut({600, 60}, QFont(), QPalette()); // not one row has room
        int seen = 0;
        for (const StepFigures& step : scene.glass().batches().steps()) {
            scene.glass().setCursor(step.step);
            canvas.axis().reveal(step.step);
            canvas.refresh();
            const auto hidden = canvas.hiddenRows();
            QVERIFY(hidden && hidden->count() == static_cast<int>(canvas.rows().size()));
            QCOMPARE(std::pair(hidden->running, hidden->waiting), std::pair(step.running, step.waiting));
            seen |= (hidden->ended > 0 ? 1 : 0) | (hidden->later > 0 ? 2 : 0);
        }
        QCOMPARE(seen, 3);
    }

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

    /// Rows are of the moment shown: a swatch is full while its sequence lives, and hollow afterwards.
    void whoLivesAtTheCursorIsShownAsLiving()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.ask(1, 20, 5);
        scene.advance(12);
        scene.ask(2, 20, 30);
        scene.advance(12);
        BatchTimelineView view(&scene.glass());
        show(view, {500, 240});
        const auto swatchPixels = [&view] {
            const QImage picture = view.viewport()->grab().toImage();
            const QRgb first = sequenceColor(0, glassColors(view.palette()).shade).rgb();
            int pixels = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < 16; ++x)
                    pixels += picture.pixel(x, y) == first ? 1 : 0;
            return pixels;
        };
        const int hollow = swatchPixels();
        scene.glass().setCursor(3);
        settle(120ms);
        const int full = swatchPixels();
        QVERIFY2(hollow > 0 && full > hollow + 20,
                 qPrintable(QStringLiteral("%1, %2").arg(hollow).arg(full)));
    }

    void scrollingBackEndsFollowing()
    {
        TimelineAxis axis;
        axis.setWidth(300);
        axis.setSteps(1, 1000);
        axis.scroll(600);
        QVERIFY(!axis.following());
        const double at = axis.positionAt(150);
        axis.setSteps(1, 1100);
        QCOMPARE(axis.positionAt(150), at);
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
        const double under = axis.positionAt(100);
        axis.zoom(2, 100);
        QVERIFY(std::abs(axis.positionAt(100) - under) < 1e-6);
        axis.zoom(1e-9, 100);
        QVERIFY(axis.firstVisible() == 1 && axis.lastVisible() == 100'000);
        axis.zoom(1e9, 100);
        QCOMPARE(axis.pixelsPerUnit(), TimelineAxis::kLargestStep);
    }

    void revealScrollsAsLittleAsNeededAndAfterAJumpShowsWhatIsBeside()
    {
        TimelineAxis axis;
        axis.setWidth(300); // 50 steps
        axis.setSteps(1, 1000);
        axis.reveal(970);
        QVERIFY(axis.following());
        axis.reveal(500);
        QCOMPARE(axis.firstVisible(), std::uint64_t{490});
        axis.reveal(539);
        QCOMPARE(axis.firstVisible(), std::uint64_t{490});
        axis.reveal(540);
        QCOMPARE(axis.lastVisible(), std::uint64_t{540});
        axis.reveal(489);
        QCOMPARE(axis.firstVisible(), std::uint64_t{489});
        axis.reveal(600);
        QCOMPARE(axis.lastVisible(), std::uint64_t{610});
        axis.reveal(2);
        QCOMPARE(axis.firstVisible(), std::uint64_t{1});
    }

    /// In seconds a step is as wide as it was long, and a rest is empty.
    void theAxisOfTimeIsThatOfTheClock()
    {
        BatchHistory history;
        for (const auto& [step, begin, end] :
             {std::tuple{1, 0.0, 1.0}, {2, 1.0, 1.5}, {3, 5.5, 6.0}, {4, 6.0, 10.0}}) {
            StepRecord record;
            record.step = static_cast<std::uint64_t>(step);
            record.beginSeconds = begin;
            record.endSeconds = end;
            history.apply(record);
        }
        TimelineAxis axis(&history);
        axis.setWidth(1000);
        axis.update();
        axis.setUnit(TimelineAxis::Unit::Seconds);
        QCOMPARE(axis.leftOf(1), 0.0);
        QCOMPARE(axis.rightOf(1), 100.0);
        QCOMPARE(axis.leftOf(4), 600.0);
        QCOMPARE(axis.rightOf(4), 1000.0);
        QCOMPARE(axis.stepAt(120), std::optional<std::uint64_t>(2));
        QVERIFY(!axis.stepAt(300));
        QCOMPARE(axis.nearestStep(300), std::uint64_t{2});
        axis.zoom(10, 999);
        QCOMPARE(axis.firstVisible(), std::uint64_t{4});
        axis.scroll(4500);
        QVERIFY(!axis.following());
        QCOMPARE(axis.lastVisible(), std::uint64_t{3});
        axis.setUnit(TimelineAxis::Unit::Steps); // four steps fit, whatever was in view
        QCOMPARE(axis.firstVisible(), std::uint64_t{1});
        QCOMPARE(axis.lastVisible(), std::uint64_t{4});
    }

    void switchingTheUnitKeepsWhatIsInView()
    {
        GlassScene scene(SceneKind::EightChats);
        BatchTimelineView view(&scene.glass());
        show(view, {900, 400});
        view.zoom(0.5);
        const std::uint64_t first = view.axis().firstVisible();
        QTest::keyClick(&view, Qt::Key_T);
        QVERIFY(view.showsTime());
        QCOMPARE(view.axis().firstVisible(), first);
        QCOMPARE(view.axis().lastVisible(), scene.glass().batches().lastStep());
        const QPoint point = pointOf(view, 0, scene.glass().batches().lastStep());
        QVERIFY(point.x() > 0);
        QTest::keyClick(&view, Qt::Key_T);
        QVERIFY(!view.showsTime());
    }

    void aCursorThatGoesOnIsShownAtOnce()
    {
        GlassScene scene(SceneKind::EightChats);
        BatchTimelineView view(&scene.glass());
        show(view, {900, 400});
        const std::uint64_t last = scene.glass().batches().lastStep();
        for (const std::uint64_t step : {last - 9, last - 8, last - 7}) {
            scene.glass().setCursor(step);
            const QImage now = view.viewport()->grab().toImage();
            settle(2 * kChartInterval);
            QCOMPARE(now, view.viewport()->grab().toImage());
        }
    }

    void stripsShowTheStepsFiguresAndRestIsNoStep()
    {
        GlassScene scene(SceneKind::TwoChats);
        scene.engine().rest(2);
        scene.ask(3, 50, 20);
        scene.advance(30);
        TimelineAxis axis(&scene.glass().batches());
        axis.setWidth(4000);
        axis.update();
        const auto bySteps = stripColumns(scene.glass().batches(), axis);
        QVERIFY(bySteps.rests.empty());
        std::size_t i = bySteps.columns.size();
        for (auto step = scene.glass().batches().steps().rbegin(); i-- > 0; ++step) {
            QCOMPARE(bySteps.columns[i].running, step->running);
            QCOMPARE(bySteps.columns[i].scheduledTokens, step->scheduledTokens());
            QCOMPARE(bySteps.columns[i].kvCacheUsage, double(step->kvCacheUsage));
        }
        axis.setUnit(TimelineAxis::Unit::Seconds);
        const auto byTime = stripColumns(scene.glass().batches(), axis);
        QCOMPARE(byTime.rests.size(), std::size_t{1});
        const RestSpan rest = byTime.rests.front();
        QVERIFY(std::abs((rest.right - rest.left) / axis.pixelsPerUnit() - 2) < 0.05);
    }

    /// The strips' figures stand elsewhere, too; who runs stands nowhere else.
    void whereThereIsRoomForEightRowsThereAreEight()
    {
        GlassScene scene(SceneKind::EightChats);
        BatchTimelineView view(&scene.glass());
        const int row = view.fontMetrics().height() + 2;
        int strips = 0;
        for (int rows = 11; rows <= 24; ++rows) {
            show(view, {500, rows * row + 8});
            const TimelineCanvas::Layout& layout = view.canvas().layout();
            QVERIFY2(layout.axisTop - layout.stripsBottom >= std::min(8, rows - 3) * row,
                     qPrintable(QString::number(rows)));
            QVERIFY(layout.strips >= strips);
            strips = layout.strips;
        }
        QCOMPARE(strips, static_cast<int>(kStrips.size()));
    }

    /// From far away nothing is lost: sums and maxima over the columns are those over the steps.
    void columnsHoldAllSteps()
    {
        GlassScene scene(SceneKind::EightChats);
        TimelineAxis axis(&scene.glass().batches());
        axis.setWidth(100);
        axis.update();
        axis.zoom(1e-9, 0);
        double sampled = 0;
        int most = 0;
        for (const StripColumn& column : stripColumns(scene.glass().batches(), axis).columns) {
            sampled += column.sampledTokens;
            most = std::max(most, column.running);
        }
        QCOMPARE(qint64(sampled), qint64(scene.glass().metrics().totals().sampledTokens));
        QCOMPARE(most, std::ranges::max(scene.glass().batches().steps(), {}, &StepFigures::running).running);
    }

    void aPreemptionIsLinkedToWhoGotItsBlocksAndToItsReturn()
    {
        GlassScene scene(SceneKind::Pressure);
        const BatchHistory& history = scene.glass().batches();
        TimelineAxis axis(&history);
        axis.setWidth(4000);
        axis.update();
        std::vector<PlacedRow> rows;
        std::size_t expected = 0;
        for (const SequenceRow* row : history.rowsIn(axis.firstVisible(), axis.lastVisible())) {
            rows.push_back({row, QRect(0, 20 * int(rows.size()), 4000, 16), true});
            expected += static_cast<std::size_t>(std::ranges::count_if(
                row->preemptions, [&](const Preemption& p) { return p.step >= axis.firstVisible(); }));
        }
        const auto links = preemptionLinks(rows, axis);
        QCOMPARE(links.size(), expected);
        QVERIFY(expected > 2);
        for (const PreemptionLink& link : links) {
            const SequenceRow& victim = *history.row(link.victim);
            const auto step = axis.stepAt(link.from.x());
            const auto preemption =
                std::ranges::find(victim.preemptions, step.value_or(0), &Preemption::step);
            QVERIFY(preemption != victim.preemptions.end());
            QCOMPARE(link.takenBy, preemption->takenBy);
            if (const auto back = victim.readmission(*preemption))
                QCOMPARE(axis.stepAt(link.backAtX + 1), back);
        }
    }

    void theStepOfTheCursorTellsWhatHappenedInIt()
    {
        GlassScene scene(SceneKind::Pressure);
        const BatchHistory& history = scene.glass().batches();
        int told = 0;
        for (const auto& [sequence, row] : history.rows())
            for (const Preemption& preemption : row.preemptions) {
                const QString events = describeEvents(history, preemption.step, scene.directory());
                QVERIFY2(events.contains(scene.directory().label(sequence).title), qPrintable(events));
                if (preemption.takenBy != SequenceId{})
                    QVERIFY2(events.contains(scene.directory().label(preemption.takenBy).title),
                             qPrintable(events));
                ++told;
            }
        QVERIFY(told > 2);
    }

    void aRowIsChosenByPointerAndKeyboardAndIsTheChat()
    {
        GlassScene scene(SceneKind::TwoChats);
        BatchTimelineView view(&scene.glass());
        show(view, {600, 300});
        const GlassSelection& selection = scene.glass().selection();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {20, view.canvas().layout().stripsBottom + 4});
        QCOMPARE(selection.sequence(), view.rows().front());
        QVERIFY(!scene.glass().cursor()); // on the name, and on no step
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(selection.sequence(), view.rows()[1]);
        QCOMPARE(selection.chat(), scene.directory().chatOf(view.rows()[1]));
        QVERIFY(view.accessibleDescription().contains(scene.directory().label(view.rows()[1]).title));
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(selection.sequence(), view.rows().front());
    }

    void draggingInTheStripsTakesTheCursorAlong()
    {
        GlassScene scene(SceneKind::TwoChats);
        BatchTimelineView view(&scene.glass());
        show(view, {600, 300});
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, {400, 5});
        for (const int x : {450, 500}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, 5), view.viewport()->mapToGlobal(QPointF(x, 5)),
                             Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(view.viewport(), &move);
        }
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, {500, 5});
        const int labels = view.viewport()->width() - view.axis().width();
        QCOMPARE(scene.glass().cursor(), view.axis().stepAt(500 - labels));
        QVERIFY(view.axis().following());
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
            if (const auto wait = span->cell.wait())
                QVERIFY(text.contains(describeWait(*wait, scene.glass().directory())));
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

    /// Whoever gives the cursor up, as the bar below the window does: now is what the panels show then.
    void whenTheCursorIsGivenUpTheNewestStepIsFollowedAgain()
    {
        GlassScene scene(SceneKind::EightChats);
        BatchTimelineView view(&scene.glass());
        show(view, {400, 300});
        QSignalSpy following(&view, &BatchTimelineView::followingChanged);
        const BatchHistory& history = scene.glass().batches();
        scene.glass().setCursor(history.firstStep());
        QTRY_COMPARE(following.count(), 1);
        QCOMPARE(view.axis().firstVisible(), history.firstStep());
        QVERIFY(view.axis().lastVisible() < history.lastStep());
        scene.glass().setCursor(std::nullopt);
        QTRY_COMPARE(following.count(), 2);
        QVERIFY(view.axis().following());
        QCOMPARE(view.axis().lastVisible(), history.lastStep());
        scene.advance(5);
        QTRY_COMPARE(view.axis().lastVisible(), history.lastStep());
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
        QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(scene.glass().cursor(), std::optional(last - 11));
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
            for (int y = view.canvas().layout().stripsBottom; y < view.canvas().layout().axisTop; ++y)
                drawn = drawn || picture.pixelColor(left + x, y) == grey;
            (x < view.axis().width() / 2 ? still : busy) += drawn;
        }
        QVERIFY(busy > view.axis().width() / 2 - 4);
        QVERIFY(still < 4);
    }
};

QTEST_MAIN(TestBatchTimelineView)
#include "test_batch_timeline_view.moc"
