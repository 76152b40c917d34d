// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/settle.h"
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

/// A window of two parts, painted once.
struct PacedWindow {
    PacedWindow(std::chrono::milliseconds interval, std::chrono::milliseconds followFor)
    {
        new FramePacer(&window, interval, followFor);
        auto* row = new QHBoxLayout(&window);
        for (Canvas* part : {&left, &right})
            row->addWidget(part);
        window.resize(200, 100);
        window.show();
        QTRY_VERIFY(left.paints > 0 && right.paints > 0);
        vitrine::test::settle(1ms);
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
        PacedWindow paced(1h, 0ms);
        paced.left.update(); // a frame, after which the window rests
        vitrine::test::settle(1ms);
        const int left = paced.left.paints, right = paced.right.paints;
        for (Canvas* part : {&paced.left, &paced.right, &paced.left}) {
            part->update();
            vitrine::test::settle(1ms);
        }
        QCOMPARE(paced.left.paints, left);
        QCOMPARE(paced.right.paints, right);
        QTest::keyClick(paced.window.windowHandle(), Qt::Key_A);
        QTRY_COMPARE(paced.right.paints, right + 1);
        QCOMPARE(paced.left.paints, left + 1);
    }

    void aHandIsFollowedFrameByFrame()
    {
        PacedWindow paced(1h, 1h);
        for (int frame = 0; frame < 3; ++frame) {
            QTest::mouseMove(paced.window.windowHandle(), {10 + frame, 10});
            const int before = paced.left.paints;
            paced.left.update();
            QTRY_COMPARE(paced.left.paints, before + 1);
        }
    }

    void afterTheRestAFrameComesByItself()
    {
        PacedWindow paced(100ms, 0ms);
        for (int frame = 0; frame < 3; ++frame) {
            const int before = paced.left.paints;
            paced.left.update();
            QTRY_COMPARE(paced.left.paints, before + 1);
        }
    }

    void whatIsHiddenMeanwhileIsPaintedWhenItIsShownAgain()
    {
        PacedWindow paced(1h, 0ms);
        paced.left.update();
        vitrine::test::settle(1ms);
        paced.left.update();
        vitrine::test::settle(1ms);
        paced.window.hide();
        const int before = paced.left.paints;
        paced.window.show();
        QTRY_VERIFY(paced.left.paints > before);
    }
};

VITRINE_GUI_TEST_MAIN(TestFramePacer)
#include "test_frame_pacer.moc"
