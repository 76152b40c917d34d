// SPDX-License-Identifier: GPL-3.0-or-later
// How large the window's type is, and whether it moves.
#include "tests/support/window_test.h"
#include "ui/chat/composer.h"
#include "ui/glass/batch_timeline_dock.h"
#include "ui/glass/block_map_dock.h"
#include "ui/glass/throughput_dock.h"
#include "ui/theme/motion.h"
#include "ui/theme/theme_switch.h"
#include "ui/theme/type_scale.h"
#include "ui/window/adaptive_layout.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>

#include <utility>

using namespace vitrine;
using namespace vitrine::ui;

class TestWindowComfort : public test::WindowTest {
    Q_OBJECT
private:
    QAction* viewAction(const QString& text)
    {
        for (QAction* menu : m_window->menuBar()->actions())
            for (QAction* action : menu->menu()->actions())
                if (action->text().remove(QLatin1Char('&')) == text)
                    return action;
        return nullptr;
    }

    QDockWidget* rail() { return m_window->findChild<QDockWidget*>(QStringLiteral("rail")); }

    /// Of the rail and of the glass.
    std::pair<int, int> sizes() { return {rail()->width(), m_window->findChild<BlockMapDock*>()->width()}; }

private slots:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void noTwoEntriesOfAMenuHaveTheSameLetter()
    {
        for (QMenu* menu : m_window->findChildren<QMenu*>()) {
            QStringList letters;
            for (const QAction* action : menu->actions()) {
                const QString letter = QKeySequence::mnemonic(action->text()).toString();
                QVERIFY2(letter.isEmpty() || !letters.contains(letter), qPrintable(action->text()));
                letters << letter;
            }
        }
    }

    void docksShareAPlaceWhereThreeWouldBeTooLowForTheirFigures()
    {
        auto* timeline = m_window->findChild<BatchTimelineDock*>();
        auto* throughput = m_window->findChild<ThroughputDock*>();
        QVERIFY(m_window->tabifiedDockWidgets(timeline).isEmpty());
        const QFont system = QApplication::font();
        QFont larger = system;
        larger.setPointSizeF(1.5 * system.pointSizeF());
        closeWindow();
        QApplication::setFont(larger);
        openWindow();
        timeline = m_window->findChild<BatchTimelineDock*>();
        throughput = m_window->findChild<ThroughputDock*>();
        const QList<QDockWidget*> beside = m_window->tabifiedDockWidgets(timeline);
        QApplication::setFont(system);
        QCOMPARE(beside, QList<QDockWidget*>{throughput});
    }

    void inTheTabDocksShareAPlaceByItsHeight()
    {
        auto* timeline = m_window->findChild<BatchTimelineDock*>();
        auto* throughput = m_window->findChild<ThroughputDock*>();
        const auto beside = [&] { return m_window->tabifiedDockWidgets(timeline); };
        m_window->resize(800, 560);
        m_window->findChild<AdaptiveLayout*>()->showGlass(true);
        QCOMPARE(beside(), QList<QDockWidget*>{throughput});
        m_window->resize(800, 1000);
        QVERIFY(beside().isEmpty());
        m_window->resize(800, 560);
        QCOMPARE(beside(), QList<QDockWidget*>{throughput});
        m_window->resize(1280, 800);
        QVERIFY(beside().isEmpty());
    }

    /// A small window in between takes nothing from the wide layout, in this run or in the next.
    void aSmallWindowLeavesTheWidthsOfTheLargeOne()
    {
        QTest::qWait(20);
        const auto large = sizes();
        for (const QSize small : {QSize(720, 480), QSize(1110, 800), QSize(720, 480)}) {
            m_window->resize(small);
            QTest::qWait(20);
            m_window->resize(1280, 800);
            QTRY_COMPARE(sizes(), large);
        }
        for (int width = 1280; width >= 720; width -= 20) {
            m_window->resize(width, 800);
            QTest::qWait(1);
        }
        m_window->saveLayout(*m_store);
        m_window = std::make_unique<MainWindow>(*m_workspace);
        m_window->open(m_store.get(), {});
        QVERIFY(m_window->width() < 800);
        m_window->resize(1280, 800);
        QTRY_COMPARE(sizes(), large);
    }

    void widthsThatSomebodyDraggedStay_data()
    {
        QTest::addColumn<bool>("asTabs");
        QTest::newRow("below each other") << false;
        QTest::newRow("two as tabs") << true;
    }

    void widthsThatSomebodyDraggedStay()
    {
        QFETCH(bool, asTabs);
        if (asTabs)
            m_window->tabifyDockWidget(m_window->findChild<BatchTimelineDock*>(),
                                       m_window->findChild<ThroughputDock*>());
        QTest::qWait(20);
        const auto before = sizes();
        const QPoint seam(m_window->width() - before.second - 3, 400);
        QWindow* window = m_window->windowHandle();
        QTest::mouseMove(window, seam);
        QTest::mousePress(window, Qt::LeftButton, {}, seam);
        QTest::mouseMove(window, seam + QPoint(20, 0));
        QTest::mouseMove(window, seam + QPoint(60, 0));
        QTest::mouseRelease(window, Qt::LeftButton, {}, seam + QPoint(60, 0));
        QTRY_VERIFY(sizes().second <= before.second - 50);
        const auto dragged = sizes();
        m_window->resize(720, 480);
        QTest::qWait(20);
        m_window->resize(1280, 800);
        QTRY_COMPARE(sizes(), dragged);
    }

    void aLayoutSavedWithoutWidthsIsTaken()
    {
        m_window->resizeDocks({rail(), m_window->findChild<BatchTimelineDock*>()}, {250, 480},
                              Qt::Horizontal);
        QTRY_COMPARE(sizes(), std::pair(250, 480));
        m_window->saveLayout(*m_store);
        m_store->setValue(QStringLiteral("window/layout"), m_window->saveState());
        m_window = std::make_unique<MainWindow>(*m_workspace);
        m_window->open(m_store.get(), {});
        QTRY_COMPARE(sizes(), std::pair(250, 480));
    }

    void typeGrowsWithTheWindow()
    {
        const double system = QApplication::font().pointSizeF();
        m_window->resize(2560, 1440);
        QTRY_COMPARE(QApplication::font().pointSizeF(), system * 1.2);
        m_window->resize(1280, 800);
        QTRY_COMPARE(QApplication::font().pointSizeF(), system);
        QCOMPARE(TypeScale::scaleFor({800, 600}), 1.0);
        QCOMPARE(TypeScale::scaleFor({7680, 4320}), 1.4);
    }

    void typeDoesNotGrowWithTheNumberOfWindows()
    {
        const QFont system = QApplication::font();
        const QSize large(2560, 1440);
        m_window->resize(large);
        QTRY_COMPARE(QApplication::font().pointSizeF(), system.pointSizeF() * 1.2);
        auto second = std::make_unique<MainWindow>(*m_workspace);
        second->open(nullptr, large);
        QTest::qWait(1);
        QCOMPARE(QApplication::font().pointSizeF(), system.pointSizeF() * 1.2);
        m_window.reset();
        second.reset();
        QCOMPARE(QApplication::font().pointSizeF(), system.pointSizeF());
    }

    void typeFollowsTheDesktopAtItsScale()
    {
        const QFont system = QApplication::font();
        m_window->resize(2560, 1440);
        QTRY_COMPARE(QApplication::font().pointSizeF(), system.pointSizeF() * 1.2);
        QFont larger = system;
        larger.setPointSizeF(system.pointSizeF() + 5);
        QApplication::setFont(larger);
        QTRY_COMPARE(QApplication::font().pointSizeF(), larger.pointSizeF() * 1.2);
        m_window.reset();
        QCOMPARE(QApplication::font().pointSizeF(), larger.pointSizeF());
        QApplication::setFont(system);
    }

    void largeTypeIsOneMenuEntryAwayAndKept()
    {
        const double system = QApplication::font().pointSizeF();
        QAction* large = viewAction(QStringLiteral("Large type (projector)"));
        QVERIFY(large && large->isCheckable() && !large->isChecked());
        large->trigger();
        QVERIFY(m_settings->largeType());
        QCOMPARE(QApplication::font().pointSizeF(), system * 1.5);
        QVERIFY(Settings(*m_store).largeType());
        m_settings->setLargeType(false); // as the settings dialog does
        QVERIFY(!large->isChecked());
        QCOMPARE(QApplication::font().pointSizeF(), system);
    }

    /// Where type is half as large again, chat and glass need half as much again to stand side by side.
    void largeTypeMakesTheGlassATab()
    {
        auto* tabs = m_window->findChild<QTabBar*>(QStringLiteral("glass-tabs"));
        QVERIFY(!tabs->isVisible());
        m_settings->setLargeType(true);
        QTRY_VERIFY(tabs->isVisible());
        const auto* hint = m_window->findChild<Composer*>()->findChild<QLabel*>();
        QVERIFY(hint->font().pointSizeF() > 0.85 * QApplication::font().pointSizeF());
        m_window->resize(1920, 1000);
        QTRY_VERIFY(!tabs->isVisible());
        m_settings->setLargeType(false);
    }

    void reducedMotionStopsWhatTheWindowMoves()
    {
        const ThemeSwitch theme(*m_settings);
        QApplication::setEffectEnabled(Qt::UI_General);
        QApplication::setEffectEnabled(Qt::UI_AnimateMenu);
        QApplication::setEffectEnabled(Qt::UI_FadeMenu, false); // the desktop's own choice
        QCOMPARE(Motion::shared().millis(150), 150);
        QAction* still = viewAction(QStringLiteral("Reduce motion"));
        QVERIFY(still && still->isCheckable());
        still->trigger();
        QVERIFY(Motion::shared().isReduced());
        QCOMPARE(Motion::shared().millis(150), 0);
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_AnimateMenu));
        QVERIFY(!m_window->isAnimated()); // panels that are moved
        QVERIFY(Settings(*m_store).reduceMotion());
        still->trigger();
        QVERIFY(m_window->isAnimated());
        QVERIFY(!Motion::shared().isReduced() && QApplication::isEffectEnabled(Qt::UI_AnimateMenu));
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_FadeMenu));
    }
};

VITRINE_GUI_TEST_MAIN(TestWindowComfort)
#include "test_window_comfort.moc"
