// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "ui/chat/composer.h"
#include "ui/chat/composer_edit.h"

#include <QInputMethodEvent>
#include <QSignalSpy>
#include <QToolButton>

using namespace vitrine::ui;

class TestComposer : public QObject {
    Q_OBJECT
private:
    static ComposerEdit* edit(Composer& composer) { return composer.findChild<ComposerEdit*>(); }

private slots:
    void init() { vitrine::test::failOnQtWarnings(); }

    void enterSendsAndShiftEnterStartsALine()
    {
        Composer composer;
        QSignalSpy sent(&composer, &Composer::sent);
        QTest::keyClicks(edit(composer), QStringLiteral("one"));
        QTest::keyClick(edit(composer), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(edit(composer), QStringLiteral("two"));
        QCOMPARE(sent.count(), 0);
        QTest::keyClick(edit(composer), Qt::Key_Return);
        QCOMPARE(sent.count(), 1);
        QCOMPARE(sent[0][0].value<Draft>().text(), QStringLiteral("one\ntwo"));
        QVERIFY(composer.draft().text().isEmpty());
    }

    void enterOfAnInputMethodOnlyCommits()
    {
        Composer composer;
        QSignalSpy sent(&composer, &Composer::sent);
        QInputMethodEvent composing(QStringLiteral("にほん"), {});
        QApplication::sendEvent(edit(composer), &composing);
        QTest::keyClick(edit(composer), Qt::Key_Return);
        QCOMPARE(sent.count(), 0);
        QInputMethodEvent commit;
        commit.setCommitString(QStringLiteral("日本"));
        QApplication::sendEvent(edit(composer), &commit);
        QCOMPARE(sent.count(), 0);
        QCOMPARE(composer.draft().text(), QStringLiteral("日本"));
        QTest::keyClick(edit(composer), Qt::Key_Return);
        QCOMPARE(sent.count(), 1);
        QCOMPARE(sent[0][0].value<Draft>().text(), QStringLiteral("日本"));
    }

    void blankTextIsNotSent()
    {
        Composer composer;
        QSignalSpy sent(&composer, &Composer::sent);
        QTest::keyClicks(edit(composer), QStringLiteral("  "));
        QTest::keyClick(edit(composer), Qt::Key_Return);
        QCOMPARE(sent.count(), 0);
    }

    void whileBusyTheButtonStopsAndEnterKeepsTheDraft()
    {
        Composer composer;
        composer.setBusy(true);
        QSignalSpy sent(&composer, &Composer::sent);
        QSignalSpy stopped(&composer, &Composer::stopRequested);
        QTest::keyClicks(edit(composer), QStringLiteral("next question"));
        QTest::keyClick(edit(composer), Qt::Key_Return);
        QCOMPARE(sent.count(), 0);
        QCOMPARE(composer.draft().text(), QStringLiteral("next question"));
        composer.findChild<QToolButton*>()->click();
        QCOMPARE(stopped.count(), 1);
    }

    void anObstacleKeepsTheTextAndDisablesSending()
    {
        Composer composer;
        composer.setObstacle(QStringLiteral("no model"));
        QSignalSpy sent(&composer, &Composer::sent);
        QTest::keyClicks(edit(composer), QStringLiteral("hello"));
        QTest::keyClick(edit(composer), Qt::Key_Return);
        QCOMPARE(sent.count(), 0);
        QCOMPARE(composer.draft().text(), QStringLiteral("hello"));
        QVERIFY(!composer.findChild<QToolButton*>()->isEnabled());
    }

    void itGrowsToEightLinesAndNoFurther()
    {
        Composer composer;
        composer.resize(500, 400);
        composer.show();
        const int line = edit(composer)->fontMetrics().lineSpacing();
        const int one = edit(composer)->sizeHint().height();
        composer.setDraft({QStringLiteral("1\n2\n3\n4"), {}});
        QCOMPARE(edit(composer)->sizeHint().height(), one + 3 * line);
        composer.setDraft({QStringLiteral("x\n").repeated(50), {}});
        QCOMPARE(edit(composer)->sizeHint().height(), one + 7 * line);
        composer.setDraft({QStringLiteral("word ").repeated(60), {}});
        QVERIFY2(edit(composer)->sizeHint().height() > one, "wrapped lines count");
    }
};

VITRINE_GUI_TEST_MAIN(TestComposer)
#include "test_composer.moc"
