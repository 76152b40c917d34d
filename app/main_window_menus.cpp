// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked for: actions, tool bars and menus. main_window.cpp has what stands in the window.
#include "app/main_window.h"
#include "app/workspace.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/chat_rail.h"
#include "ui/theme/icons.h"
#include "ui/window/adaptive_layout.h"
#include "ui/window/engine_controls.h"
#include "ui/window/model_bar.h"
#include "ui/window/recording_actions.h"
#include "ui/window/transport_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

namespace vitrine {

using namespace ui;

namespace {

constexpr QSize kIconSize{20, 20};

} // namespace

void MainWindow::createActions()
{
    m_open = new QAction(themedIcon(QStringLiteral("open")), tr("&Open model…"), this);
    m_open->setShortcut(QKeySequence::Open);
    m_modelPage = new QAction(tr("Model &details…"), this);
    m_modelPage->setShortcut(Qt::CTRL | Qt::Key_I);
    m_modelPage->setToolTip(
        tr("What a model file is, and the memory that it takes, before it is loaded (Ctrl+I)"));
    m_undoDelete = new QAction(tr("&Undo delete"), this);
    m_undoDelete->setEnabled(false);
    m_settings = new QAction(themedIcon(QStringLiteral("settings")), tr("&Settings…"), this);
    m_settings->setShortcut(Qt::CTRL | Qt::Key_Comma);
    m_settings->setToolTip(tr("Engine, sampling and chat settings (Ctrl+,)"));
    m_quit = new QAction(tr("&Quit"), this);
    m_quit->setShortcut(QKeySequence::Quit);
    m_controls = new EngineControls(m_workspace.host(), this);
    m_openRecording = new QAction(tr("Open recordin&g…"), this);
    connect(m_openRecording, &QAction::triggered, this, &MainWindow::askForRecording);
    m_recording = new RecordingActions(this, [this] { return m_workspace.recording(); });
    connect(m_open, &QAction::triggered, this, &MainWindow::openModel);
    connect(m_modelPage, &QAction::triggered, this, &MainWindow::showModelPage);
    connect(m_settings, &QAction::triggered, this, &MainWindow::editSettings);
    connect(m_quit, &QAction::triggered, this, &QWidget::close);
    connect(m_undoDelete, &QAction::triggered, this, [this] {
        m_undoDelete->setEnabled(false);
        m_workspace.controller().undoRemove();
    });
}

void MainWindow::createToolBar()
{
    auto* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("main"));
    bar->setMovable(false);
    bar->setIconSize(kIconSize);
    bar->toggleViewAction()->setEnabled(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_modelBar = new ModelBar(m_workspace.model(), m_workspace.settings(), {m_open, m_modelPage}, bar);
    bar->addWidget(m_modelBar);
    QAction* tabs = bar->addWidget(m_tabs);
    tabs->setVisible(m_layout->isNarrow());
    connect(m_layout, &AdaptiveLayout::narrowChanged, tabs, &QAction::setVisible);
    bar->addSeparator();
    bar->addActions({m_controls->pauseAction(), m_controls->stepAction(), m_controls->slowAction()});
    if (auto* slow = qobject_cast<QToolButton*>(bar->widgetForAction(m_controls->slowAction())))
        slow->setPopupMode(QToolButton::InstantPopup);
    bar->addSeparator();
    bar->addAction(m_settings);
}

void MainWindow::createTransport()
{
    m_transportBar = new QToolBar(tr("Recorded steps"), this);
    m_transportBar->setObjectName(QStringLiteral("transport"));
    m_transportBar->setMovable(false);
    m_transportBar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_transport = new TransportBar(m_workspace.glass(), TransportBar::Beside::Engine, m_transportBar);
    m_transportBar->addWidget(m_transport);
    addToolBar(Qt::BottomToolBarArea, m_transportBar);
}

void MainWindow::createMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addActions({m_rail->newAction(), m_open});
    file->addMenu(m_modelBar->recentMenu());
    file->addAction(m_modelPage);
    file->addSeparator();
    file->addActions({m_openRecording, m_recording->saveAction()});
    file->addMenu(m_recording->exportMenu());
    file->addSeparator();
    file->addActions({m_settings, m_quit});
    QMenu* chat = menuBar()->addMenu(tr("&Chat"));
    chat->addActions({m_page->stopAction(), m_page->regenerateAction(), m_page->copyAnswerAction()});
    chat->addSeparator();
    chat->addActions({m_rail->renameAction(), m_rail->deleteAction(), m_undoDelete});
    chat->addSeparator();
    chat->addActions({m_rail->nextAction(), m_rail->previousAction()});
    QMenu* engine = menuBar()->addMenu(tr("&Engine"));
    engine->addActions({m_controls->pauseAction(), m_controls->stepAction(), m_controls->slowAction()});
    engine->addSeparator();
    engine->addActions(m_transport->actions());
    createViewMenu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    connect(help->addAction(tr("&About Vitrine")), &QAction::triggered, this, &MainWindow::about);
}

void MainWindow::createViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (QDockWidget* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        if (dock->features() & QDockWidget::DockWidgetClosable)
            view->addAction(dock->toggleViewAction());
    }
    view->addAction(m_transportBar->toggleViewAction());
    connect(view->addAction(tr("&Reset layout")), &QAction::triggered, m_layout, &AdaptiveLayout::reset);
    view->addSeparator();
    createThemeMenu(view->addMenu(tr("&Theme")));
    Settings& settings = m_workspace.settings();
    QAction* large = view->addAction(tr("&Large type (projector)"));
    large->setCheckable(true);
    connect(large, &QAction::toggled, &settings, &Settings::setLargeType);
    QAction* still = view->addAction(tr("Reduce &motion"));
    still->setCheckable(true);
    connect(still, &QAction::toggled, &settings, &Settings::setReduceMotion);
    const auto follow = [large, still, &settings] {
        large->setChecked(settings.largeType());
        still->setChecked(settings.reduceMotion());
    };
    connect(&settings, &Settings::typeChanged, large, follow);
    connect(&settings, &Settings::motionChanged, still, follow);
    follow();
}

void MainWindow::createThemeMenu(QMenu* menu)
{
    auto* group = new QActionGroup(menu);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::System, tr("As the &system")},
                                                       {ThemeChoice::Light, tr("&Light")},
                                                       {ThemeChoice::Dark, tr("&Dark")}};
    for (const auto& [choice, label] : choices) {
        QAction* action = group->addAction(menu->addAction(label));
        action->setCheckable(true);
        action->setChecked(m_workspace.settings().theme() == choice);
        connect(action, &QAction::triggered, this,
                [this, theme = choice] { m_workspace.settings().setTheme(theme); });
    }
}

} // namespace vitrine
