// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/chat_page.h"

#include "ui/chat/composer.h"
#include "ui/chat/conversation_view.h"
#include "ui/chat/empty_state.h"
#include "ui/chat/text_reader.h"
#include "ui/models/chat_controller.h"
#include "ui/models/chat_list_model.h"
#include "ui/models/model_state.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace vitrine::ui {

ChatPage::ChatPage(ChatController& controller, const ChatListModel& list, const ModelState& model,
                   QAction* openModel, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_list(list)
    , m_model(model)
    , m_view(new ConversationView(controller.book(), this))
    , m_empty(new EmptyState(model, openModel, this))
    , m_stack(new QStackedWidget(this))
    , m_composer(new Composer(this))
    , m_composerRow(new QWidget(this))
{
    createActions();
    layOut();
    followBook();
    connect(m_composer, &Composer::sent, this, &ChatPage::send);
    connect(m_composer, &Composer::stopRequested, m_stop, &QAction::trigger);
    connect(m_composer, &Composer::edited, this, &ChatPage::keepDraft);
    connect(m_view, &ConversationView::copyRequested, this, &ChatPage::copyAnswer);
    connect(m_view, &ConversationView::copyReasoningRequested, this, &ChatPage::copyReasoning);
    connect(m_view, &ConversationView::readRequested, this, &ChatPage::readMessage);
    connect(m_composer, &Composer::readRequested, this, &ChatPage::read);
    connect(m_view, &ConversationView::regenerateRequested, m_regenerate, &QAction::trigger);
    connect(m_view, &ConversationView::chatMlRequested, this,
            [this] { m_controller.regenerateAsChatMl(m_chat); });
    connect(m_view, &ConversationView::branchRequested, this,
            [this](MessageId answer) { emit chatRequested(m_controller.branch(m_chat, answer)); });
    connect(m_view, &ConversationView::textSelected, this, &ChatPage::textSelected);
    connect(m_empty, &EmptyState::suggestionChosen, this, &ChatPage::suggestionChosen);
    connect(&model, &ModelState::changed, this, &ChatPage::refresh);
    refresh();
}

void ChatPage::createActions()
{
    m_stop = new QAction(themedIcon(QStringLiteral("stop")), tr("&Stop answer"), this);
    m_stop->setShortcut(Qt::Key_Escape);
    m_regenerate = new QAction(themedIcon(QStringLiteral("again")), tr("Re&generate answer"), this);
    m_regenerate->setShortcut(Qt::CTRL | Qt::Key_R);
    m_copyAnswer = new QAction(themedIcon(QStringLiteral("copy")), tr("&Copy answer"), this);
    m_copyAnswer->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    connect(m_stop, &QAction::triggered, this, [this] { m_controller.stop(m_chat); });
    connect(m_regenerate, &QAction::triggered, this, [this] { m_controller.regenerate(m_chat); });
    connect(m_copyAnswer, &QAction::triggered, this, [this] {
        const ChatSession* session = m_controller.book().find(m_chat);
        if (session != nullptr && session->lastAnswer() != nullptr)
            copyAnswer(session->lastAnswer()->id);
    });
}

void ChatPage::layOut()
{
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    auto* row = new QVBoxLayout(m_composerRow);
    row->setContentsMargins(kGroupGap, kGap, kGroupGap, kGroupGap);
    row->addWidget(m_composer);
    m_composerRow->setBackgroundRole(QPalette::Base);
    m_composerRow->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_composerRow);
    setFocusProxy(m_composer);
    setMinimumWidth(320);
}

void ChatPage::followBook()
{
    const auto refreshMine = [this](ChatId chat) {
        if (chat == m_chat)
            refresh();
    };
    const ChatBook& book = m_controller.book();
    connect(&book, &ChatBook::messageAppended, this, refreshMine);
    connect(&book, &ChatBook::messageEdited, this, refreshMine);
    connect(&book, &ChatBook::truncated, this, refreshMine);
    connect(&m_list, &QAbstractItemModel::dataChanged, this, &ChatPage::refreshStatus);
}

void ChatPage::setChat(ChatId chat)
{
    if (chat == m_chat)
        return;
    m_chat = chat;
    const ChatSession* session = m_controller.book().readWhole(chat);
    m_composer->setDraft(session == nullptr ? Draft() : session->draft);
    refresh();
    refreshStatus();
}

void ChatPage::focusComposer()
{
    m_composer->takeFocus();
}

void ChatPage::send(const Draft& draft)
{
    if (m_controller.book().find(m_chat) == nullptr)
        emit chatNeeded();
    if (!m_controller.submit(m_chat, draft.text()))
        m_composer->setDraft(draft); // nobody likes to type twice
}

void ChatPage::keepDraft()
{
    const Draft draft = m_composer->draft();
    if (m_controller.book().find(m_chat) == nullptr && !draft.isEmpty()) {
        emit chatNeeded();
        m_composer->setDraft(draft);
    }
    m_controller.book().setDraft(m_chat, draft);
}

void ChatPage::copyAnswer(MessageId answer)
{
    const ChatSession* session = m_controller.book().find(m_chat);
    if (const Message* message = session == nullptr ? nullptr : session->find(answer))
        QGuiApplication::clipboard()->setText(message->text);
}

void ChatPage::copyReasoning(MessageId answer)
{
    const ChatSession* session = m_controller.book().find(m_chat);
    if (const Message* message = session == nullptr ? nullptr : session->find(answer))
        QGuiApplication::clipboard()->setText(message->reasoning);
}

void ChatPage::read(const QString& text)
{
    const ChatSession* session = m_controller.book().find(m_chat);
    auto* reader = new TextReader(session == nullptr ? QString() : session->title, text, this);
    reader->setAttribute(Qt::WA_DeleteOnClose);
    reader->show();
}

void ChatPage::readMessage(MessageId id, TextPart part)
{
    const ChatSession* session = m_controller.book().find(m_chat);
    if (const Message* message = session == nullptr ? nullptr : session->find(id))
        read(part == TextPart::Said ? message->text : message->reasoning);
}

void ChatPage::markText(const std::vector<MessageRange>& ranges)
{
    if (m_view->chat() == m_chat)
        m_view->markText(ranges);
}

void ChatPage::refresh()
{
    const ChatSession* session = m_controller.book().find(m_chat);
    const bool hasMessages = session != nullptr && !session->messages.empty();
    const bool busy = session != nullptr && session->isBusy();
    const bool hasAnswer = session != nullptr && session->lastAnswer() != nullptr;
    if (hasMessages)
        m_view->open(m_chat, session->slot);
    m_stack->setCurrentWidget(hasMessages ? static_cast<QWidget*>(m_view) : m_empty);
    m_composer->setBusy(busy);
    m_composer->setContextLimit(m_model.contextLimit());
    m_composer->setObstacle(
        m_model.canAnswer() ? QString() : tr("No model is loaded: open one with Ctrl+O to get answers"));
    m_stop->setEnabled(busy);
    m_regenerate->setEnabled(hasAnswer && m_model.canAnswer());
    m_copyAnswer->setEnabled(hasAnswer);
    alignColumn();
}

void ChatPage::refreshStatus()
{
    const QModelIndex row = m_list.indexOf(m_chat);
    if (row.isValid() && m_view->chat() == m_chat)
        m_view->setStatus(row.data(ChatListModel::StateRole).toString());
}

void ChatPage::alignColumn()
{
    // The composer's frame reaches a little further out, so that its text stands in the column.
    const auto [left, column] = m_view->columnIn(width());
    const int right = width() - left - column;
    m_composerRow->layout()->setContentsMargins(left - kGap, kGap, right - kGap, kGroupGap);
    m_empty->setMargins(left, right);
}

void ChatPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    alignColumn();
}

} // namespace vitrine::ui
