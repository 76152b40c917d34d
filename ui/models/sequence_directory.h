// SPDX-License-Identifier: GPL-3.0-or-later
// Which chat a sequence belongs to. Filled by the chat side as requests are accepted, read by the glass.
#pragma once
#include "engine/ids.h"

#include <QHash>
#include <QObject>
#include <QString>

namespace vitrine::ui {

struct ChatLabel {
    qint64 chat = 0; ///< the chat's id; 0: the sequence belongs to no chat
    QString title;
    int colorSlot = -1; ///< see sequence_palette.h; kNeutralSlot where there is no chat
    friend bool operator==(const ChatLabel&, const ChatLabel&) = default;
};

class SequenceDirectory : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// A new chat, or one with a new title, which becomes one by asTitle(). What was assigned to it before
    /// follows.
    void describeChat(ChatLabel label);

    /// From now on the sequence is a turn of `chat`, which has been described.
    void assign(SequenceId sequence, qint64 chat);

    /// The chat's label, or { 0, "sequence N", kNeutralSlot } for a sequence that nobody claimed.
    [[nodiscard]] ChatLabel label(SequenceId sequence) const;

    /// Other chats, other sequences: those of another recording.
    void clear();

    /// The label's colour alone, for those who ask by the thousand.
    [[nodiscard]] int colorSlot(SequenceId sequence) const;

    /// The chat's id, 0 for none.
    [[nodiscard]] qint64 chatOf(SequenceId sequence) const;

    /// All that were assigned.
    [[nodiscard]] const QHash<std::uint32_t, qint64>& chatOfSequence() const { return m_chatOfSequence; }

    /// The label of a chat; one without a title for an unknown chat.
    [[nodiscard]] ChatLabel chatLabel(qint64 chat) const;

signals:
    /// A label that may be on screen is another now.
    void changed();

private:
    QHash<qint64, ChatLabel> m_chats;
    QHash<std::uint32_t, qint64> m_chatOfSequence;
};

} // namespace vitrine::ui
