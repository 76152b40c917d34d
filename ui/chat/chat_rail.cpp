// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/chat_rail.h"

#include "ui/chat/chat_list_delegate.h"
#include "ui/models/chat_list_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QListView>
#include <QToolButton>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

QString withShortcut(const QString& text, const QAction& action)
{
    return QStringLiteral("%1 (%2)").arg(text, action.shortcut().toString(QKeySequence::NativeText));
}

} // namespace

ChatRail::ChatRail(ChatListModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_view(new QListView(this))
    , m_new(new QAction(themedIcon(QStringLiteral("new-chat")), tr("&New chat"), this))
    , m_rename(new QAction(themedIcon(QStringLiteral("rename")), tr("&Rename"), this))
    , m_delete(new QAction(themedIcon(QStringLiteral("delete")), tr("&Delete"), this))
    , m_next(new QAction(tr("Ne&xt chat"), this))
    , m_previous(new QAction(tr("&Previous chat"), this))
{
    createActions();
    layOut();
    m_view->setModel(&model);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        updateActions();
        emit currentChanged(current());
    });
    connect(m_view, &QListView::activated, this, &ChatRail::chosen);
    connect(&model, &QAbstractItemModel::rowsInserted, this, &ChatRail::updateActions);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &ChatRail::updateActions);
    updateActions();
}

void ChatRail::createActions()
{
    m_new->setShortcut(QKeySequence::New);
    m_new->setToolTip(withShortcut(tr("New chat"), *m_new));
    m_rename->setShortcut(Qt::Key_F2);
    m_next->setShortcut(Qt::CTRL | Qt::Key_PageDown);
    m_previous->setShortcut(Qt::CTRL | Qt::Key_PageUp);
    m_delete->setShortcut(QKeySequence::Delete);
    m_delete->setShortcutContext(Qt::WidgetWithChildrenShortcut); // Del in the composer deletes a character
    connect(m_new, &QAction::triggered, this, &ChatRail::newRequested);
    connect(m_rename, &QAction::triggered, this, [this] { m_view->edit(m_view->currentIndex()); });
    connect(m_delete, &QAction::triggered, this, [this] { emit deleteRequested(current()); });
    connect(m_next, &QAction::triggered, this, [this] { move(1); });
    connect(m_previous, &QAction::triggered, this, [this] { move(-1); });
    addAction(m_delete);
}

void ChatRail::layOut()
{
    auto* heading = new QLabel(tr("Chats"), this);
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(bold);
    auto* button = new QToolButton(this);
    button->setDefaultAction(m_new);
    button->setAutoRaise(true);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kGap + 2, kGap, kGap, 4);
    top->addWidget(heading, 1);
    top->addWidget(button);

    m_view->setItemDelegate(new ChatListDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setMouseTracking(true);
    m_view->setUniformItemSizes(true);
    m_view->viewport()->setBackgroundRole(QPalette::Window);
    m_view->setAccessibleName(tr("Chats"));
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->addActions({m_new, m_rename, m_delete});

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);
    setMinimumWidth(160);
}

ChatId ChatRail::current() const
{
    return m_model.chatAt(m_view->currentIndex());
}

void ChatRail::setCurrent(ChatId chat)
{
    m_view->setCurrentIndex(m_model.indexOf(chat));
}

void ChatRail::move(int rows)
{
    const int count = m_model.rowCount();
    if (count > 0)
        m_view->setCurrentIndex(m_model.index((m_view->currentIndex().row() + rows + count) % count));
}

void ChatRail::updateActions()
{
    const bool hasChat = m_view->currentIndex().isValid();
    m_rename->setEnabled(hasChat);
    m_delete->setEnabled(hasChat);
    m_next->setEnabled(m_model.rowCount() > 1);
    m_previous->setEnabled(m_model.rowCount() > 1);
}

} // namespace vitrine::ui
