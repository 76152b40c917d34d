// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/chat_session.h"

#include <QWidget>

class QAction;
class QListView;

namespace vitrine::ui {

class ChatListModel;

/// The list of chats on the left. All it offers is in its actions, which the menu bar shows as well.
class ChatRail : public QWidget {
    Q_OBJECT
public:
    explicit ChatRail(ChatListModel& model, QWidget* parent = nullptr);

    [[nodiscard]] ChatId current() const;
    void setCurrent(ChatId chat);

    [[nodiscard]] QAction* newAction() const { return m_new; }
    [[nodiscard]] QAction* renameAction() const { return m_rename; }
    [[nodiscard]] QAction* deleteAction() const { return m_delete; }
    [[nodiscard]] QAction* nextAction() const { return m_next; }
    [[nodiscard]] QAction* previousAction() const { return m_previous; }

    [[nodiscard]] QSize sizeHint() const override { return {232, 400}; }

signals:
    void newRequested();
    void deleteRequested(vitrine::ui::ChatId chat);
    /// Also {0} once no chat is left.
    void currentChanged(vitrine::ui::ChatId chat);
    /// Enter on a chat, or a click: the reader wants to write.
    void chosen();

private:
    void createActions();
    void layOut();
    void move(int rows);
    void updateActions();

    ChatListModel& m_model;
    QListView* m_view;
    QAction* m_new;
    QAction* m_rename;
    QAction* m_delete;
    QAction* m_next;
    QAction* m_previous;
};

} // namespace vitrine::ui
