// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "ui/window/frame_pacer.h"

#include <QHBoxLayout>
#include <QPaintEvent>
#include <QWindow>

using namespace vitrine::ui;
using namespace std::chrono_literals;

namespace {

struct Canvas : QWidget {
    using QWidget::QWidget;
    void paintEvent(QPaintEvent*) override { ++paints; }
    int paints = 0;
};

/// A window of two parts.
struct PacedWindow {
    explicit PacedWindow(std::chrono::milliseconds interval)
    {
        new FramePacer(&window, interval);
        auto* row = new QHBoxLayout(&window);
        for (Canvas* part : {&left, &right})
            row->addWidget(part);
        window.resize(200, 100);
        window.show();
    }

    QWidget window;
    Canvas left{&window}, right{&window};
};

} // namespace

class TestFramePacer : public QObject {
    Q_OBJECT
private slots:
    void init() { vitrine::test::failOnQtWarnings(); }

    void whatComesWhileNobodyTouchesTheWindowWaitsAndIsPaintedInOneFrame()
    {
        PacedWindow paced(1h);
        QTRY_VERIFY(paced.left.paints > 0);
        releaseHand(paced);
        const int left = paced.left.paints, right = paced.right.paints;
        for (Canvas* part : {&paced.left, &paced.right, &paced.left}) {
            part->update();
            QCoreApplication::processEvents();
        }
        QCOMPARE(paced.left.paints, left);
        QCOMPARE(paced.right.paints, right);
        QTest::keyClick(paced.window.windowHandle(), Qt::Key_A);
        QTRY_COMPARE(paced.right.paints, right + 1);
        QCOMPARE(paced.left.paints, left + 1);
    }

    void aHandIsFollowedFrameByFrame()
    {
        PacedWindow paced(1h);
        QTRY_VERIFY(paced.left.paints > 0);
        for (int frame = 0; frame < 3; ++frame) {
            QTest::mouseMove(paced.window.windowHandle(), {10 + frame, 10});
            const int before = paced.left.paints;
            paced.left.update();
            QTRY_COMPARE(paced.left.paints, before + 1);
        }
    }

    void withoutAHandAFrameComesAfterTheRest()
    {
        PacedWindow paced(50ms);
        QTRY_VERIFY(paced.left.paints > 0);
        releaseHand(paced);
        for (int frame = 0; frame < 3; ++frame) {
            const int before = paced.left.paints;
            paced.left.update();
            QTRY_COMPARE(paced.left.paints, before + 1);
        }
    }

private:
    /// Showing resizes, which is the work of a hand. The frame after it is painted, too.
    static void releaseHand(PacedWindow& paced)
    {
        QTest::qWait(static_cast<int>(std::chrono::milliseconds(FramePacer::kHandRests).count()) + 100);
        paced.left.update();
        QCoreApplication::processEvents();
    }
};

VITRINE_GUI_TEST_MAIN(TestFramePacer)
#include "test_frame_pacer.moc"
