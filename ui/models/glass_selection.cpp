// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/glass_selection.h"

#include "ui/models/sequence_directory.h"

#include <utility>

namespace vitrine::ui {

GlassSelection::GlassSelection(const SequenceDirectory* directory, QObject* parent)
    : QObject(parent)
    , m_directory(directory)
{
}

bool GlassSelection::includes(SequenceId sequence) const
{
    if (m_sequence != SequenceId{})
        return sequence == m_sequence;
    return m_chat != 0 && m_directory->chatOf(sequence) == m_chat;
}

void GlassSelection::selectChat(qint64 chat)
{
    set(chat, chat == m_chat ? m_sequence : SequenceId{});
}

void GlassSelection::selectSequence(SequenceId sequence)
{
    set(m_directory->chatOf(sequence), sequence);
}

void GlassSelection::setBlocks(std::vector<BlockId> blocks)
{
    if (blocks == m_blocks)
        return;
    m_blocks = std::move(blocks);
    emit changed();
}

void GlassSelection::clear()
{
    m_blocks.clear();
    m_chat = 0;
    m_sequence = {};
    emit changed();
}

void GlassSelection::set(qint64 chat, SequenceId sequence)
{
    if (chat == m_chat && sequence == m_sequence)
        return;
    m_chat = chat;
    m_sequence = sequence;
    emit changed();
}

} // namespace vitrine::ui
