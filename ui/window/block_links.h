// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/report.h"
#include "ui/models/text_links.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace vitrine {
class EngineHost;
}

namespace vitrine::ui {

class BlockMapView;
class ChatController;
class ChatPage;
class GlassModel;

/// Links the conversation and the block map: a block that is clicked chooses its chat and marks its text,
/// text that is selected marks its blocks, and the map gets the text of the block that it tells about.
class BlockLinks : public QObject {
    Q_OBJECT
public:
    /// All outlive it, or end with it.
    BlockLinks(EngineHost& host, ChatController& controller, GlassModel& glass, BlockMapView& map,
               ChatPage& page, QObject* parent = nullptr);

private:
    /// A block of a sequence's table as it was last seen, known again by its hash when the sequence has
    /// ended.
    using Remembered = std::pair<BlockId, std::uint64_t>;

    void onAccepted(const report::Accepted& accepted);
    void onDescribed(const std::shared_ptr<const BlockText>& content);
    void onSteps();
    void choose(BlockId block);
    void markTextOf(const TokenSpan& tokens);
    void markBlocksOf(const std::vector<MessageRange>& ranges);
    void updateBlocks();
    void rememberTables();
    [[nodiscard]] std::vector<BlockId> blocksOf(const TokenSpan& tokens) const;
    [[nodiscard]] std::optional<TokenSpan> tokensIn(BlockId block, SequenceId owner) const;
    [[nodiscard]] SequenceId ownerOf(BlockId block) const;

    EngineHost& m_host;
    ChatController& m_controller;
    GlassModel& m_glass;
    BlockMapView& m_map;
    ChatPage& m_page;
    TextLinks m_links;
    std::map<SequenceId, std::vector<Remembered>> m_tables; ///< of the sequences in m_links
    std::optional<TokenSpan> m_selected;                    ///< in the conversation
    std::optional<BlockId> m_asked;                         ///< clicked; its text is on the way
};

} // namespace vitrine::ui
