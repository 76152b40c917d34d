// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "ui/models/chat_session.h"

#include <QMainWindow>

#include <functional>

class QSettings;
class QTabBar;
class QToolBar;

namespace vitrine {

class Workspace;

namespace ui {
class AdaptiveLayout;
class ChatListModel;
class ChatPage;
class ChatRail;
class EngineControls;
class EngineStatusBar;
class ModelBar;
class NoticeBanner;
class RecordingActions;
class TransportBar;
struct Suggestion;
} // namespace ui

/// Chats on the left, the conversation in the middle, the glass on the right.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `workspace` outlives it.
    explicit MainWindow(Workspace& workspace, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] ui::NoticeBanner& banner() { return *m_banner; }
    void showChat(ui::ChatId chat);
    /// Shows the window as it was left, or where `store` is null as it is by default; `size` has precedence.
    void open(const QSettings* store, QSize size);
    void hideGlass();
    /// Done before the window closes; where that fails, the user is asked whether it closes all the same.
    void saveBeforeClosing(std::function<Result<void>()> save) { m_save = std::move(save); }
    void saveLayout(QSettings& store) const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void followTypeSize();
    void createActions();
    void createCentre();
    void createDocks();
    void createToolBar();
    void createMenus();
    void createViewMenu();
    void createThemeMenu(QMenu* menu);
    void connectEngine();
    void connectChats();
    void createTransport();
    void connectRecording();

    void newChat();
    void deleteChat(ui::ChatId chat);
    void follow(const ui::Suggestion& suggestion);
    void openModel();
    void askForRecording();
    void openRecording(const QString& path);
    void showModelPage();
    void showModelWarnings();
    void updateTitle();
    void editSettings();
    void about();
    [[nodiscard]] bool quitsUnsaved(const Error& problem);

    Workspace& m_workspace;
    std::function<Result<void>()> m_save; ///< may be empty
    ui::ChatListModel* m_list;
    ui::ChatRail* m_rail = nullptr;
    ui::ChatPage* m_page = nullptr;
    ui::NoticeBanner* m_banner = nullptr;
    ui::ModelBar* m_modelBar = nullptr;
    ui::EngineControls* m_controls = nullptr;
    ui::EngineStatusBar* m_status = nullptr;
    ui::AdaptiveLayout* m_layout = nullptr;
    ui::RecordingActions* m_recording = nullptr;
    ui::TransportBar* m_transport = nullptr;
    QToolBar* m_transportBar = nullptr;
    QTabBar* m_tabs = nullptr;
    QAction* m_open = nullptr;
    QAction* m_openRecording = nullptr;
    QAction* m_modelPage = nullptr;
    QAction* m_undoDelete = nullptr;
    QAction* m_settings = nullptr;
    QAction* m_quit = nullptr;
};

} // namespace vitrine
