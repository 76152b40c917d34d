// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/chat_session.h"
#include "ui/models/text_links.h"

#include <QWidget>

class QAction;
class QStackedWidget;

namespace vitrine::ui {

class ChatController;
class ChatListModel;
class Composer;
class ConversationView;
class EmptyState;
class ModelState;
struct Suggestion;

/// The centre of the window: one chat at a time, its conversation and the composer.
class ChatPage : public QWidget {
    Q_OBJECT
public:
    ChatPage(ChatController& controller, const ChatListModel& list, const ModelState& model,
             QAction* openModel, QWidget* parent = nullptr);

    [[nodiscard]] ChatId chat() const { return m_chat; }
    void setChat(ChatId chat);
    void focusComposer();
    /// Of the chat that is shown.
    void markText(const std::vector<MessageRange>& ranges);

    [[nodiscard]] QAction* stopAction() const { return m_stop; }
    [[nodiscard]] QAction* regenerateAction() const { return m_regenerate; }
    [[nodiscard]] QAction* copyAnswerAction() const { return m_copyAnswer; }

signals:
    /// Somebody writes while no chat is there.
    void chatNeeded();
    void suggestionChosen(const vitrine::ui::Suggestion& suggestion);
    /// The page wants another chat to be shown: a branch was made.
    void chatRequested(vitrine::ui::ChatId chat);
    /// In the conversation of chat(); empty: no more.
    void textSelected(const std::vector<vitrine::ui::MessageRange>& ranges);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    void layOut();
    void followBook();
    void send(const Draft& draft);
    void keepDraft();
    void copyAnswer(MessageId answer);
    void copyReasoning(MessageId answer);
    void read(const QString& text);
    void readMessage(MessageId message, TextPart part);
    void refresh();
    void refreshStatus();
    void alignColumn();

    ChatController& m_controller;
    const ChatListModel& m_list;
    const ModelState& m_model;
    ConversationView* m_view;
    EmptyState* m_empty;
    QStackedWidget* m_stack;
    Composer* m_composer;
    QWidget* m_composerRow;
    QAction* m_stop;
    QAction* m_regenerate;
    QAction* m_copyAnswer;
    ChatId m_chat;
};

} // namespace vitrine::ui
