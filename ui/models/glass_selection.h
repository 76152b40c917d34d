// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <QObject>

#include <span>
#include <vector>

namespace vitrine::ui {

class SequenceDirectory;

/// What the reader has chosen: one thing for the rail, the conversation and all panels of the glass. A row of
/// the timeline, a block, a curve and a chat of the rail that belong together are chosen together.
class GlassSelection : public QObject {
    Q_OBJECT
public:
    /// `directory` outlives it.
    explicit GlassSelection(const SequenceDirectory* directory, QObject* parent = nullptr);

    /// The chosen chat's id; 0 where none is, or the chosen sequence belongs to no chat.
    [[nodiscard]] qint64 chat() const { return m_chat; }
    /// The one turn of it that was pointed at; SequenceId{0} where the chat as a whole is meant.
    [[nodiscard]] SequenceId sequence() const { return m_sequence; }
    /// Blocks that are marked: one that was pointed at, or those that hold the text selected in the
    /// conversation. Each once, in no order.
    [[nodiscard]] std::span<const BlockId> blocks() const { return m_blocks; }

    /// Whether the sequence is the chosen one, or a turn of the chat that is chosen as a whole.
    [[nodiscard]] bool includes(SequenceId sequence) const;

    /// From the rail. Where the chosen sequence is a turn of this chat, it stays chosen.
    void selectChat(qint64 chat);
    /// From a timeline row, a curve or a block's owner: its chat is chosen with it.
    void selectSequence(SequenceId sequence);
    void setBlocks(std::vector<BlockId> blocks);
    void clear();

signals:
    void changed();

private:
    void set(qint64 chat, SequenceId sequence);

    const SequenceDirectory* m_directory;
    qint64 m_chat = 0;
    SequenceId m_sequence{};
    std::vector<BlockId> m_blocks;
};

} // namespace vitrine::ui
