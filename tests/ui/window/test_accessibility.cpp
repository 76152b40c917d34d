// SPDX-License-Identifier: GPL-3.0-or-later
// Every control of every window has a name that can be read out, and a way to it by the keyboard.
#include "tests/support/glass_scene.h"
#include "tests/support/patience.h"
#include "tests/support/window_test.h"
#include "ui/models/recording_file.h"
#include "ui/window/about_dialog.h"
#include "ui/window/model_page.h"
#include "ui/window/notice_banner.h"
#include "ui/window/replay_window.h"
#include "ui/window/settings_dialog.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTabBar>
#include <QTextEdit>
#include <QToolButton>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

/// Something that people use, and not a part of it: the line of a spin box, a scroll bar, what Qt made
/// itself.
bool isControl(const QWidget& widget)
{
    const QWidget* parent = widget.parentWidget();
    if (widget.objectName().startsWith(QLatin1String("qt_")) || qobject_cast<const QScrollBar*>(&widget) ||
        qobject_cast<const QMenu*>(&widget) || qobject_cast<const QMenuBar*>(&widget))
        return false;
    if (qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
        qobject_cast<const QTabBar*>(parent) || parent->inherits("QComboBoxPrivateContainer"))
        return false;
    return (widget.focusPolicy() & Qt::TabFocus) != 0 || qobject_cast<const QAbstractButton*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QAbstractSlider*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QTextEdit*>(&widget) || qobject_cast<const QAbstractItemView*>(&widget) ||
           qobject_cast<const QTabBar*>(&widget);
}

QList<QWidget*> controlsOf(const QWidget& window)
{
    QList<QWidget*> controls = window.findChildren<QWidget*>();
    controls.removeIf(
        [&window](const QWidget* widget) { return widget->window() != &window || !isControl(*widget); });
    return controls;
}

QString nameOf(QWidget* widget)
{
    const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
    return interface == nullptr ? QString() : interface->text(QAccessible::Name);
}

QByteArray describe(QWidget* widget)
{
    QStringList path;
    for (QWidget* at = widget; at != nullptr; at = at->parentWidget())
        path.prepend(QLatin1String(at->metaObject()->className()));
    return (nameOf(widget) + QStringLiteral(" (") + path.join(QLatin1Char('/')) + QLatin1Char(')')).toUtf8();
}

/// Whether what it does stands in a menu of its window, or has keys of its own.
bool hasAnotherWay(const QWidget& widget, const QWidget& window)
{
    const auto* button = qobject_cast<const QToolButton*>(&widget);
    if (button == nullptr)
        return false;
    if (qobject_cast<const QDockWidget*>(button->parentWidget()))
        return true; // the View menu closes a panel and brings it back
    const QAction* action = button->defaultAction();
    if (action == nullptr)
        return false;
    const auto menus = window.findChildren<QMenu*>();
    return !action->shortcut().isEmpty() || std::ranges::any_of(menus, [action](const QMenu* menu) {
        return menu->actions().contains(action);
    });
}

void checkNames(const QWidget& window)
{
    for (QWidget* control : controlsOf(window))
        QVERIFY2(!nameOf(control).trimmed().isEmpty(), describe(control).constData());
}

/// Goes on with Tab until it is where it began, and then looks who was left out.
void checkWays(QWidget& window)
{
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QSet<const QWidget*> reached;
    for (int i = 0; i < 600; ++i) {
        QWidget* focus = window.focusWidget() ? window.focusWidget() : &window;
        reached << focus;
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    int offered = 0;
    for (QWidget* control : controlsOf(window)) {
        if (!control->isVisible() || !control->isEnabled() || hasAnotherWay(*control, window))
            continue;
        ++offered;
        const QWidget* proxy = control->focusProxy();
        QVERIFY2(reached.contains(control) || (proxy && reached.contains(proxy)),
                 describe(control).constData());
    }
    qInfo("%d controls, %d stations of the Tab key", offered, int(reached.size()));
    QVERIFY(offered > 0 && reached.size() >= offered);
}

} // namespace

class TestAccessibility : public test::WindowTest {
    Q_OBJECT
private:
    /// As if a model had answered: panels that have something to show.
    void fillGlass()
    {
        test::WorkloadEngine engine(SchedulerOptions{.numBlocks = 200}, 1);
        ModelInfo info;
        info.numBlocks = 200;
        info.blockSize = 16;
        GlassModel& glass = m_workspace->glass();
        glass.setModel(info);
        auto first = std::make_shared<StepBatch>();
        first->snapshot = std::make_shared<const PoolSnapshot>(engine.snapshot());
        glass.apply(first);
        (void)engine.submit(100, 20);
        auto steps = std::make_shared<StepBatch>();
        for (int i = 0; i < 8; ++i)
            steps->steps.push_back(engine.step());
        glass.apply(steps);
        glass.setCursor(4);
    }

private slots:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void theMainWindow()
    {
        fillGlass();
        m_workspace->book().append(m_workspace->book().at(0).id, {});
        m_window->banner().report(NoticeBanner::Subject::Model, {"something", {}, {}});
        checkNames(*m_window);
        checkWays(*m_window);
    }

    void theMainWindowWhereItIsNarrow()
    {
        fillGlass();
        m_window->resize(1000, 700);
        checkNames(*m_window);
        checkWays(*m_window);
    }

    void theWindowOfARecording_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("beside each other") << QSize(1280, 800);
        QTest::newRow("as tabs") << QSize(500, 400);
    }

    void theWindowOfARecording()
    {
        QFETCH(QSize, size);
        test::GlassScene scene(test::SceneKind::TwoChats);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("two.vitrine-recording"));
        QVERIFY(saveRecording(
            {aboutNow(scene.glass().model(), EngineOptions{}, scene.directory()), scene.glass().recording()},
            file, [](double) { return true; }));
        ReplayWindow window;
        window.resize(size);
        window.show();
        QSignalSpy opened(&window, &ReplayWindow::opened);
        window.open(file);
        QVERIFY(opened.wait(test::kPatienceMillis));
        window.resize(size);
        checkNames(window);
        checkWays(window);
    }

    void theDialogs()
    {
        SettingsDialog settings(*m_settings, m_workspace->model().info(), m_window.get());
        ModelPage model(m_workspace->model(), *m_settings, m_window.get());
        AboutDialog about(m_window.get());
        for (QDialog* dialog : std::initializer_list<QDialog*>{&settings, &model, &about}) {
            dialog->show();
            checkNames(*dialog);
            checkWays(*dialog);
            dialog->close();
        }
    }
};

VITRINE_GUI_TEST_MAIN(TestAccessibility)
#include "test_accessibility.moc"
