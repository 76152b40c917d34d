// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/chat_session.h"
#include "ui/models/throttle.h"

#include <QAbstractListModel>
#include <QHash>

#include <vector>

namespace vitrine::ui {

class ChatController;
class GlassModel;

/// The rail's rows, in the book's order: title, colour, and one line about what the engine does for the chat.
class ChatListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum DataRole {
        IdRole = Qt::UserRole, ///< qlonglong, ChatId's value
        SlotRole,              ///< int, see sequence_palette.h
        BusyRole,              ///< Busy
        HoldsRole,             ///< bool: holds a block that is marked in the map, with others maybe
        StateRole,             ///< QString, "decoding, 41.3 tok/s"; what it has come to where it is not busy
    };
    enum Busy { Idle, Waiting, Computing };
    Q_ENUM(Busy)

    ChatListModel(ChatController& controller, const GlassModel& glass, QObject* parent = nullptr);

    /// Whether the engine was told to pause: what would go on is called paused.
    void setPaused(bool paused);

    [[nodiscard]] ChatId chatAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(ChatId chat) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override; ///< the title
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    /// Of a busy row, until the next one is told: all that show it show the same moment.
    struct Told {
        Busy mark = Waiting;
        QString line;
    };
    [[nodiscard]] Told tell(const ChatSession& session) const;
    [[nodiscard]] Told told(const ChatSession& session) const;
    [[nodiscard]] QString stateLine(const ChatSession& session) const;
    [[nodiscard]] bool holdsMarked(const ChatSession& session) const;
    [[nodiscard]] QString toolTip(const ChatSession& session) const;
    void followBook();
    void refresh(ChatId chat);
    void refreshBusyRows();
    void refreshHolders();
    void tellHolders();

    ChatController& m_controller;
    const GlassModel& m_glass;
    Throttle m_figures;            ///< of the busy rows
    QHash<qlonglong, Told> m_told; ///< by chat
    bool m_paused = false;
    std::vector<SequenceId> m_holders; ///< of the marked blocks, by id
};

} // namespace vitrine::ui
