// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chat_list_model.h"

#include "ui/models/block_sharing.h"
#include "ui/models/chat_controller.h"
#include "ui/models/glass_model.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

/// Faster than this nobody reads, and each change lays out the rail and repaints the page.
constexpr std::chrono::milliseconds kFigureInterval{250};

} // namespace

ChatListModel::ChatListModel(ChatController& controller, const GlassModel& glass, QObject* parent)
    : QAbstractListModel(parent)
    , m_controller(controller)
    , m_glass(glass)
    , m_figures(
          kFigureInterval, [this] { refreshBusyRows(); }, this)
{
    followBook();
    connect(&glass, &GlassModel::changed, &m_figures, &Throttle::request);
    connect(&glass, &GlassModel::becameIdle, &m_figures, &Throttle::requestNow);
    connect(&glass, &GlassModel::changed, this, &ChatListModel::refreshHolders);
    connect(&glass.selection(), &GlassSelection::changed, this, &ChatListModel::refreshHolders);
    // The engine may tell what a sequence holds before it is known whose it is. The rail follows at once, and
    // not with a frame: a new chat's row must not look as if it waited.
    connect(&glass.directory(), &SequenceDirectory::changed, this, &ChatListModel::tellHolders);
}

void ChatListModel::followBook()
{
    ChatBook& book = m_controller.book();
    connect(&book, &ChatBook::aboutToInsert, this, [this](int row) { beginInsertRows({}, row, row); });
    connect(&book, &ChatBook::inserted, this, [this] { endInsertRows(); });
    connect(&book, &ChatBook::aboutToRemove, this, [this](int row) { beginRemoveRows({}, row, row); });
    connect(&book, &ChatBook::removed, this, [this] { endRemoveRows(); });
    connect(&book, &ChatBook::changed, this, &ChatListModel::refresh);
    connect(&book, &ChatBook::messageAppended, this, &ChatListModel::refresh);
    connect(&book, &ChatBook::messageEdited, this, &ChatListModel::refresh);
    connect(&book, &ChatBook::truncated, this, &ChatListModel::refresh);
}

ChatId ChatListModel::chatAt(const QModelIndex& index) const
{
    return index.isValid() ? m_controller.book().at(index.row()).id : ChatId{};
}

QModelIndex ChatListModel::indexOf(ChatId chat) const
{
    const int row = m_controller.book().rowOf(chat);
    return row < 0 ? QModelIndex{} : index(row);
}

int ChatListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_controller.book().count();
}

QVariant ChatListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ChatSession& session = m_controller.book().at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return session.title;
    case Qt::ToolTipRole:
        return toolTip(session);
    case Qt::AccessibleTextRole:
        return tr("%1, %2").arg(session.title, stateLine(session));
    case IdRole:
        return static_cast<qlonglong>(session.id.value);
    case SlotRole:
        return session.slot;
    case HoldsRole:
        return holdsMarked(session);
    case BusyRole:
        return session.isBusy() ? told(session).mark : Idle;
    case StateRole:
        return stateLine(session);
    default:
        return {};
    }
}

bool ChatListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const QString title = value.toString();
    if (role != Qt::EditRole || title.trimmed().isEmpty() || !index.isValid())
        return false;
    m_controller.book().setTitle(chatAt(index), title, true);
    return true;
}

Qt::ItemFlags ChatListModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractListModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable : flags;
}

/// A rate of an engine that stands still is one of the past.
ChatListModel::Told ChatListModel::tell(const ChatSession& session) const
{
    const auto sequence = m_controller.sequenceOf(session.id);
    auto activity = sequence ? m_glass.newestActivity(*sequence) : std::nullopt;
    if (!activity)
        return {Waiting, tr("queued")};
    const bool waits =
        activity->phase == SequencePhase::Waiting || activity->phase == SequencePhase::Preempted;
    if (m_paused && !waits)
        return {Computing, tr("paused")};
    if (m_paused && activity->isUnseen && !activity->reason)
        return {Waiting, tr("waits for the next step: the engine is paused")};
    if (m_glass.isIdle())
        activity->decodeTokensPerSecond = 0;
    return {waits ? Waiting : Computing, describe(*activity, m_glass.directory())};
}

ChatListModel::Told ChatListModel::told(const ChatSession& session) const
{
    const auto told = m_told.constFind(session.id.value);
    return told == m_told.cend() ? tell(session) : *told;
}

void ChatListModel::setPaused(bool paused)
{
    m_paused = paused;
    m_figures.requestNow();
}

QString ChatListModel::stateLine(const ChatSession& session) const
{
    if (session.isBusy())
        return told(session).line;
    const Message* answer = session.lastAnswer();
    if (answer == nullptr)
        return session.draft.isEmpty() ? tr("empty") : tr("draft");
    switch (answer->state) {
    case MessageState::Interrupted:
        return tr("interrupted");
    case MessageState::Failed:
        return tr("failed");
    case MessageState::Stopped:
        return tr("stopped");
    default:
        break;
    }
    const int tokens = answer->stats.promptTokens + answer->stats.generatedTokens;
    return tokens > 0 ? tr("%L1 tokens of context").arg(tokens)
                      : tr("%n message(s)", nullptr, static_cast<int>(session.messages.size()));
}

bool ChatListModel::holdsMarked(const ChatSession& session) const
{
    return std::ranges::any_of(
        m_holders, [&](SequenceId holder) { return m_glass.directory().chatOf(holder) == session.id.value; });
}

QString ChatListModel::toolTip(const ChatSession& session) const
{
    QStringList lines{session.title, stateLine(session), holdingsOf(m_glass, session.id.value)};
    if (holdsMarked(session))
        lines << tr("Dot: holds a block that is marked in the block map");
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

void ChatListModel::refreshHolders()
{
    std::vector<SequenceId> holders = markedHolders(m_glass);
    if (holders == m_holders)
        return;
    m_holders = std::move(holders);
    tellHolders();
}

void ChatListModel::tellHolders()
{
    if (rowCount() > 0)
        emit dataChanged(index(0), index(rowCount() - 1), {HoldsRole});
}

void ChatListModel::refresh(ChatId chat)
{
    const QModelIndex row = indexOf(chat);
    const ChatSession& session = m_controller.book().at(row.row());
    if (!session.isBusy())
        m_told.remove(chat.value);
    else if (!m_told.contains(chat.value)) // what comes in while it answers changes nothing here
        m_told.insert(chat.value, tell(session));
    emit dataChanged(row, row);
}

void ChatListModel::refreshBusyRows()
{
    const ChatBook& book = m_controller.book();
    m_told.clear();
    for (int row = 0; row < book.count(); ++row)
        if (book.at(row).isBusy())
            m_told.insert(book.at(row).id.value, tell(book.at(row)));
    for (int row = 0; row < book.count(); ++row) {
        if (book.at(row).isBusy())
            emit dataChanged(index(row), index(row), {BusyRole, StateRole, Qt::ToolTipRole});
    }
}

} // namespace vitrine::ui
