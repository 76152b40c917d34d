// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/steady_label.h"
#include "ui/theme/steady_paragraph.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

using namespace vitrine::ui;

namespace {

struct LayoutCount : QObject {
    explicit LayoutCount(QWidget& watched) { watched.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        layouts += event->type() == QEvent::LayoutRequest;
        return false;
    }
    int layouts = 0;
};

} // namespace

class TestSteadyTexts : public QObject {
    Q_OBJECT
private slots:
    void init() { vitrine::test::failOnQtWarnings(); }

    void figuresThatFitLayNothingOutAndMoveNothing()
    {
        QWidget window;
        auto* row = new QHBoxLayout(&window);
        auto* label = new SteadyLabel;
        auto* beside = new QWidget;
        row->addWidget(label);
        row->addWidget(beside, 1);
        label->setFigures(QStringLiteral("1,000 of 2,000"));
        window.show();
        QCoreApplication::processEvents();
        const int left = beside->x();
        LayoutCount count(window);
        for (const char* text : {"9 of 10", "", "77 of 2,000"}) {
            label->setFigures(QString::fromLatin1(text));
            QCoreApplication::processEvents();
        }
        QCOMPARE(count.layouts, 0);
        QCOMPARE(beside->x(), left);
        label->setFigures(QStringLiteral("1,000,000 of 2,000,000"));
        QCoreApplication::processEvents();
        QVERIFY(count.layouts > 0);
        QVERIFY(beside->x() > left);
        QVERIFY(label->width() >= label->sizeHint().width());
    }

    void aSmallerTypeNeedsLess()
    {
        SteadyLabel label;
        label.setFigures(QStringLiteral("1,000 of 2,000"));
        const QSize before = label.size();
        QFont small = label.font();
        small.setPointSizeF(small.pointSizeF() / 2);
        label.setFont(small);
        QVERIFY(label.width() < before.width());
        QVERIFY(label.height() < before.height());
    }

    void aSentenceGrowsWithItsLinesAndLaysNothingOutOtherwise()
    {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* sentence = new SteadyParagraph(QStringLiteral("State"));
        column->addWidget(sentence);
        column->addStretch(1);
        sentence->setText(QStringLiteral("one two three"));
        window.resize(200, 400);
        window.show();
        QCoreApplication::processEvents();
        const int oneLine = sentence->height();
        QVERIFY(oneLine >= sentence->fontMetrics().height());
        LayoutCount count(window);
        sentence->setText(QStringLiteral("four"));
        QCoreApplication::processEvents();
        QCOMPARE(count.layouts, 0);
        sentence->setText(QStringLiteral("five six ").repeated(20));
        QCoreApplication::processEvents();
        const int manyLines = sentence->height();
        QVERIFY(manyLines >= 3 * oneLine);
        sentence->setText(QStringLiteral("seven"));
        QCoreApplication::processEvents();
        QCOMPARE(sentence->height(), manyLines);
        window.resize(300, 400);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        QCOMPARE(sentence->height(), oneLine);
    }

    void aTextOnTwoLinesIsCutAtTheEndOfTheSecond()
    {
        ElidedLabel label;
        const auto ink = [&label](int line) {
            const QImage image = label.grab().toImage().convertToFormat(QImage::Format_RGB32);
            const int height = label.fontMetrics().height();
            int pixels = 0;
            for (int y = line * height; y < (line + 1) * height; ++y)
                for (int x = 0; x < image.width(); ++x)
                    pixels += image.pixel(x, y) != image.pixel(image.width() - 1, 0);
            return pixels;
        };
        label.setLineCount(2);
        label.resize(200, label.height());
        QCOMPARE(label.height(), 2 * label.fontMetrics().height());
        label.setText(QStringLiteral("one"));
        QVERIFY(ink(0) > 0);
        QCOMPARE(ink(1), 0);
        label.setText(QStringLiteral("one two three four five six seven eight nine ten "));
        const int two = ink(1);
        QVERIFY(ink(0) > 0);
        QVERIFY(two > 0);
        label.setText(QStringLiteral("one two three four five six seven eight nine ten ").repeated(9));
        QVERIFY(ink(1) > two);
        QCOMPARE(label.height(), 2 * label.fontMetrics().height());
        const int whole = ink(1);
        label.setTexts(label.text(), QStringLiteral("one"));
        QVERIFY(ink(0) > 0);
        QVERIFY(ink(1) < whole);
        QCOMPARE(ink(1), 0);
        QFont large = label.font();
        large.setPointSizeF(2 * large.pointSizeF());
        label.setFont(large);
        QCOMPARE(label.height(), 2 * label.fontMetrics().height());
    }
};

VITRINE_GUI_TEST_MAIN(TestSteadyTexts)
#include "test_steady_texts.moc"
