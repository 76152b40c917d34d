// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.h"

#include "app/workspace.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/chat_rail.h"
#include "ui/chat/suggestions.h"
#include "ui/glass/batch_timeline_dock.h"
#include "ui/glass/block_map_dock.h"
#include "ui/glass/block_map_panel.h"
#include "ui/glass/block_map_view.h"
#include "ui/glass/throughput_dock.h"
#include "ui/models/chat_list_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/motion.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/window/about_dialog.h"
#include "ui/window/adaptive_layout.h"
#include "ui/window/block_links.h"
#include "ui/window/engine_controls.h"
#include "ui/window/engine_status_bar.h"
#include "ui/window/frame_pacer.h"
#include "ui/window/model_bar.h"
#include "ui/window/model_page.h"
#include "ui/window/notice_banner.h"
#include "ui/window/recording_actions.h"
#include "ui/window/replay_window.h"
#include "ui/window/settings_dialog.h"
#include "ui/window/transport_bar.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace vitrine {

using namespace ui;

namespace {

constexpr QSize kFirstSize{1280, 800};
constexpr QSize kSmallest{720, 480};
const QString kGeometry = QStringLiteral("window/geometry");
const QString kLayout = QStringLiteral("window/layout");

using Subject = NoticeBanner::Subject;

QString droppedModel(const QMimeData* data)
{
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile() && url.fileName().endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive))
            return url.toLocalFile();
    }
    return {};
}

QStringList remarksOn(const ModelInfo& info)
{
    QStringList remarks;
    for (const std::string& warning : info.warnings)
        remarks << QString::fromStdString(warning);
    if (info.templateWarning)
        remarks << QString::fromStdString(*info.templateWarning);
    return remarks;
}

} // namespace

MainWindow::MainWindow(Workspace& workspace, QWidget* parent)
    : QMainWindow(parent)
    , m_workspace(workspace)
    , m_list(new ChatListModel(workspace.controller(), workspace.glass(), this))
{
    setAcceptDrops(true);
    setMinimumSize(kSmallest);
    followTypeSize(); // before anything is laid out
    resize(kFirstSize);
    createActions();
    createCentre();
    createDocks();
    createToolBar();
    createTransport();
    createMenus();
    connectChats();
    connectEngine();
    connectRecording();
    updateTitle();
    new FramePacer(this, kFramePace);
}

MainWindow::~MainWindow() = default;

void MainWindow::followTypeSize()
{
    Settings& settings = m_workspace.settings();
    auto* type = new TypeScale(this);
    const auto scale = [type, &settings] { type->setLarge(settings.largeType()); };
    connect(&settings, &Settings::typeChanged, type, scale);
    scale();
}

void MainWindow::createCentre()
{
    auto* centre = new QWidget(this);
    m_banner = new NoticeBanner(centre);
    m_banner->setContentsMargins(kGap, kGap, kGap, kGap);
    m_page = new ChatPage(m_workspace.controller(), *m_list, m_workspace.model(), m_open, centre);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_page, 1);
    setCentralWidget(centre);
    m_status = new EngineStatusBar(m_workspace.model(), m_workspace.glass(), this);
    setStatusBar(m_status);
}

void MainWindow::createDocks()
{
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    Motion::shared().governs(*this);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    auto* rail = new QDockWidget(tr("Chats"), this);
    rail->setObjectName(QStringLiteral("rail"));
    rail->setFeatures(QDockWidget::NoDockWidgetFeatures);
    rail->setTitleBarWidget(new QWidget(rail));
    m_rail = new ChatRail(*m_list, rail);
    rail->setWidget(m_rail);
    addDockWidget(Qt::LeftDockWidgetArea, rail);

    auto* blocks = new BlockMapDock(&m_workspace.glass(), this);
    new BlockLinks(m_workspace.host(), m_workspace.controller(), m_workspace.glass(),
                   *blocks->panel()->view(), *m_page, this);
    const QList<QDockWidget*> glass{blocks, new BatchTimelineDock(&m_workspace.glass(), this),
                                    new ThroughputDock(&m_workspace.glass(), this)};
    for (QDockWidget* dock : glass)
        addDockWidget(Qt::RightDockWidgetArea, dock);
    m_tabs = new QTabBar(this);
    m_layout = new AdaptiveLayout(*this, m_tabs, rail, glass);
}

void MainWindow::connectChats()
{
    connect(m_rail, &ChatRail::newRequested, this, &MainWindow::newChat);
    connect(m_rail, &ChatRail::deleteRequested, this, &MainWindow::deleteChat);
    connect(m_rail, &ChatRail::chosen, m_page, &ChatPage::focusComposer);
    connect(m_rail, &ChatRail::currentChanged, this, [this](ChatId chat) {
        m_page->setChat(chat);
        m_workspace.glass().selection().selectChat(chat.value);
        updateTitle();
    });
    connect(&m_workspace.glass().selection(), &GlassSelection::changed, this, [this] {
        const ChatId chat{m_workspace.glass().selection().chat()};
        if (m_workspace.book().find(chat) != nullptr)
            showChat(chat);
    });
    connect(m_page, &ChatPage::chatNeeded, this, &MainWindow::newChat);
    connect(m_page, &ChatPage::chatRequested, this, &MainWindow::showChat);
    connect(m_page, &ChatPage::suggestionChosen, this, &MainWindow::follow);
    connect(&m_workspace.book(), &ChatBook::changed, this, &MainWindow::updateTitle);
}

void MainWindow::connectEngine()
{
    ModelState& model = m_workspace.model();
    connect(&model, &ModelState::failed, this, [this](const Error& error) {
        m_banner->report(Subject::Model, tr("The model could not be loaded"), error);
    });
    connect(&model, &ModelState::optionsRefused, this, [this](const Error& error) {
        m_banner->report(Subject::Options, tr("The settings could not be used"), error);
    });
    connect(&model, &ModelState::cardLost, this, [this](const Error& error) {
        m_banner->report(Subject::Card,
                         tr("The graphics card cannot go on. The processor takes over all answers."), error,
                         NoticeBanner::Kind::Warning);
    });
    connect(&model, &ModelState::loaded, this, [this] {
        m_banner->withdraw(Subject::Model);
        showModelWarnings();
    });
    connect(m_controls, &EngineControls::pausedChanged, m_status, &EngineStatusBar::setPaused);
    connect(m_controls, &EngineControls::pausedChanged, m_list, &ChatListModel::setPaused);
}

void MainWindow::connectRecording()
{
    const GlassModel& glass = m_workspace.glass();
    connect(&glass, &GlassModel::changed, m_recording,
            [this, &glass] { m_recording->setEnabled(glass.recording().hasSteps()); });
    connect(m_recording, &RecordingActions::failed, this,
            [this](const Error& error) { m_banner->report(Subject::Writing, error); });
    connect(m_recording, &RecordingActions::written, this, [this](const QString& path) {
        const QString name = QFileInfo(path).fileName();
        m_banner->withdraw(Subject::Writing);
        if (isRecording(path))
            m_banner->offer(tr("“%1” was saved.").arg(name),
                            {tr("Open"), [this, path] { openRecording(path); }});
        else
            m_banner->report(Subject::Writing, {tr("“%1” was written.").arg(name).toStdString(), {}, {}},
                             NoticeBanner::Kind::Info);
    });
}

void MainWindow::showModelWarnings()
{
    const ModelInfo& info = m_workspace.model().info();
    const QStringList remarks = remarksOn(info);
    if (remarks.isEmpty())
        m_banner->withdraw(Subject::Remarks); // those on the model before
    else
        m_banner->report(Subject::Remarks,
                         tr("Remarks on the model “%1”").arg(QString::fromStdString(info.name)), remarks,
                         NoticeBanner::Kind::Warning);
}

void MainWindow::showChat(ChatId chat)
{
    m_rail->setCurrent(chat);
}

void MainWindow::newChat()
{
    // An empty chat is new enough.
    const ChatBook& book = m_workspace.book();
    const bool hasEmpty = book.count() > 0 && book.at(0).isWhole && book.at(0).messages.empty();
    showChat(hasEmpty ? book.at(0).id : m_workspace.newChat());
    m_page->focusComposer();
}

void MainWindow::deleteChat(ChatId chat)
{
    const ChatSession* session = m_workspace.book().find(chat);
    if (session == nullptr)
        return;
    const QString title = session->title;
    if (!m_workspace.controller().remove(chat))
        return;
    m_undoDelete->setEnabled(true);
    m_banner->offer(tr("“%1” was deleted.").arg(title), {tr("Undo"), [this, chat] {
                                                             m_undoDelete->trigger();
                                                             showChat(chat);
                                                         }});
}

void MainWindow::follow(const Suggestion& suggestion)
{
    for (const QString& question : suggestion.questions) {
        newChat();
        m_workspace.controller().submit(m_page->chat(), question);
    }
}

void MainWindow::openModel()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open model"), {}, tr("GGUF models (*.gguf);;All files (*)"));
    if (!path.isEmpty())
        m_workspace.model().load(path);
}

void MainWindow::askForRecording()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open recording"), {}, recordingFilter());
    if (!path.isEmpty())
        openRecording(path);
}

/// In a window of its own: the engine and its chats go on here.
void MainWindow::openRecording(const QString& path)
{
    auto* window = new ReplayWindow(this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
    window->open(path);
}

void MainWindow::showModelPage()
{
    ModelPage(m_workspace.model(), m_workspace.settings(), this).exec();
}

void MainWindow::updateTitle()
{
    const ChatSession* session = m_workspace.book().find(m_page->chat());
    setWindowTitle(session == nullptr ? tr("Vitrine") : tr("%1 – Vitrine").arg(session->title));
}

void MainWindow::editSettings()
{
    SettingsDialog(m_workspace.settings(), m_workspace.model().info(), this).exec();
}

void MainWindow::about()
{
    AboutDialog(this).exec();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    const Result<void> saved = m_save ? m_save() : Result<void>{};
    event->setAccepted(saved || quitsUnsaved(saved.error()));
}

bool MainWindow::quitsUnsaved(const Error& problem)
{
    QMessageBox question(
        QMessageBox::Warning, tr("Quit Vitrine"),
        tr("Chats are not saved: %1. Quit all the same?").arg(QString::fromStdString(problem.what)),
        QMessageBox::NoButton, this);
    question.setTextFormat(Qt::PlainText);
    const QPushButton* quit = question.addButton(tr("&Quit"), QMessageBox::DestructiveRole);
    QPushButton* stay = question.addButton(tr("&Stay"), QMessageBox::RejectRole);
    question.setDefaultButton(stay);
    question.setEscapeButton(stay);
    question.exec();
    return question.clickedButton() == quit;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedModel(event->mimeData()).isEmpty() || !recordingIn(event->mimeData()->urls()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const QString recording = recordingIn(event->mimeData()->urls()); !recording.isEmpty())
        openRecording(recording);
    else
        m_workspace.model().load(droppedModel(event->mimeData()));
    event->acceptProposedAction();
}

void MainWindow::open(const QSettings* store, QSize size)
{
    const QByteArray geometry = store == nullptr ? QByteArray() : store->value(kGeometry).toByteArray();
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    if (!size.isEmpty())
        resize(size);
    show();
    m_layout->restore(store == nullptr ? QByteArray() : store->value(kLayout).toByteArray());
    const ChatBook& book = m_workspace.book();
    if (book.count() > 0)
        showChat(book.at(0).id);
    else
        newChat();
    m_page->focusComposer();
}

void MainWindow::hideGlass()
{
    m_layout->hideGlass();
    m_transportBar->hide();
}

void MainWindow::saveLayout(QSettings& store) const
{
    store.setValue(kGeometry, saveGeometry());
    store.setValue(kLayout, m_layout->save());
}

} // namespace vitrine
