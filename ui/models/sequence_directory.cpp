// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sequence_directory.h"

#include "ui/models/chat_title.h"
#include "ui/models/sequence_palette.h"

#include <utility>

namespace vitrine::ui {

void SequenceDirectory::describeChat(ChatLabel label)
{
    label.title = asTitle(label.title);
    ChatLabel& known = m_chats[label.chat];
    if (known == label)
        return;
    known = std::move(label);
    emit changed();
}

void SequenceDirectory::assign(SequenceId sequence, qint64 chat)
{
    m_chatOfSequence.insert(sequence.value, chat);
    emit changed();
}

void SequenceDirectory::clear()
{
    m_chats.clear();
    m_chatOfSequence.clear();
    emit changed();
}

ChatLabel SequenceDirectory::label(SequenceId sequence) const
{
    const auto known = m_chats.constFind(chatOf(sequence));
    if (known != m_chats.constEnd())
        return *known;
    return {0, tr("sequence %1").arg(sequence.value), kNeutralSlot};
}

int SequenceDirectory::colorSlot(SequenceId sequence) const
{
    const auto known = m_chats.constFind(chatOf(sequence));
    return known == m_chats.constEnd() ? kNeutralSlot : known->colorSlot;
}

qint64 SequenceDirectory::chatOf(SequenceId sequence) const
{
    return m_chatOfSequence.value(sequence.value, 0);
}

ChatLabel SequenceDirectory::chatLabel(qint64 chat) const
{
    return m_chats.value(chat, {chat, QString(), kNeutralSlot});
}

} // namespace vitrine::ui
