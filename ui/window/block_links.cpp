// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/block_links.h"

#include "engine/host/engine_host.h"
#include "ui/chat/chat_page.h"
#include "ui/glass/block_map_view.h"
#include "ui/models/chat_book.h"
#include "ui/models/chat_controller.h"
#include "ui/models/context_window.h"
#include "ui/models/glass_model.h"
#include "ui/models/pool_mirror.h"

#include <algorithm>

namespace vitrine::ui {

BlockLinks::BlockLinks(EngineHost& host, ChatController& controller, GlassModel& glass, BlockMapView& map,
                       ChatPage& page, QObject* parent)
    : QObject(parent)
    , m_host(host)
    , m_controller(controller)
    , m_glass(glass)
    , m_map(map)
    , m_page(page)
{
    connect(&host, &EngineHost::requestAccepted, this, &BlockLinks::onAccepted);
    connect(&host, &EngineHost::textArrived, this, [this](const std::vector<report::TextDelta>& deltas) {
        for (const report::TextDelta& delta : deltas)
            m_links.append(delta);
    });
    connect(&host, &EngineHost::blockDescribed, this, &BlockLinks::onDescribed);
    connect(&controller.book(), &ChatBook::removed, this, [this](ChatId chat) { m_links.removeChat(chat); });
    connect(&map, &BlockMapView::blockActivated, this, &BlockLinks::choose);
    connect(&map, &BlockMapView::textWanted, &host, &EngineHost::describeBlock);
    connect(&page, &ChatPage::textSelected, this, &BlockLinks::markBlocksOf);
    connect(&glass, &GlassModel::changed, this, &BlockLinks::onSteps);
}

void BlockLinks::onAccepted(const report::Accepted& accepted)
{
    const auto answer = m_controller.answerOf(accepted.request);
    const ChatSession* session = answer ? m_controller.book().find(answer->chat) : nullptr;
    if (session == nullptr)
        return;
    const std::vector<ChatMessage> prompt = promptOf(*session);
    const std::vector<MessageId> ids = sentMessages(*session);
    std::vector<SequenceText::Sent> sent;
    for (std::size_t i = 0; i < ids.size() && ids[i] < answer->message; ++i) {
        const Message* message = session->find(ids[i]);
        const auto offset =
            message == nullptr ? 0 : message->text.indexOf(QString::fromStdString(prompt[i].content));
        sent.push_back({ids[i], prompt[i].content, static_cast<int>(std::max<qsizetype>(0, offset))});
    }
    m_tables.erase(accepted.sequence);
    if (m_selected && m_selected->sequence == accepted.sequence)
        m_selected.reset(); // it was of another pool
    m_links.add(accepted.sequence, accepted.request, answer->chat,
                SequenceText(accepted.prompt, sent, answer->message));
}

void BlockLinks::onSteps()
{
    rememberTables();
    updateBlocks();
}

/// What a sequence held is looked for when it has ended: its full blocks are known by their hash.
void BlockLinks::rememberTables()
{
    const PoolMirror& pool = m_glass.newestPool();
    std::erase_if(m_tables, [this](const auto& entry) { return !m_links.knows(entry.first); });
    for (const auto& [sequence, table] : pool.tables()) {
        if (!m_links.knows(sequence))
            continue;
        std::vector<Remembered>& remembered = m_tables[sequence];
        remembered.resize(table.size());
        for (std::size_t i = 0; i < table.size(); ++i)
            remembered[i] = {table[i], pool.block(table[i]).hashed ? pool.block(table[i]).hash : 0};
    }
}

SequenceId BlockLinks::ownerOf(BlockId block) const
{
    const auto owners = m_glass.pool().owners(block);
    if (owners.empty())
        return m_glass.lastOwner(block);
    // Of a shared block the chat that is shown already.
    const auto shown = std::ranges::find_if(
        owners, [this](SequenceId owner) { return m_glass.selection().includes(owner); });
    return shown == owners.end() ? owners.front() : *shown;
}

std::optional<TokenSpan> BlockLinks::tokensIn(BlockId block, SequenceId owner) const
{
    const PoolMirror& pool = m_glass.pool();
    const auto table = pool.table(owner);
    const auto entry = std::ranges::find(table, block);
    if (entry == table.end() || block == kNullBlock)
        return std::nullopt;
    const auto row = static_cast<std::int32_t>(entry - table.begin()) / pool.layerGroups();
    const std::int32_t first = row * pool.blockSize();
    return TokenSpan{owner, first, first + pool.block(block).filled};
}

void BlockLinks::choose(BlockId block)
{
    m_selected.reset();
    m_asked.reset();
    const SequenceId owner = ownerOf(block);
    if (owner != SequenceId{} && !m_glass.selection().includes(owner))
        m_glass.selection().selectSequence(owner);
    m_glass.selection().setBlocks({block});
    if (const auto tokens = tokensIn(block, owner))
        return markTextOf(*tokens);
    m_page.markText({});
    if (m_glass.cursor() || owner == SequenceId{})
        return;
    m_asked = block; // kept by the prefix cache: the engine knows for which tokens
    m_host.describeBlock(block);
}

void BlockLinks::onDescribed(const std::shared_ptr<const BlockText>& content)
{
    m_map.setBlockText(content);
    if (m_asked != content->block)
        return;
    m_asked.reset();
    const SequenceId owner = ownerOf(content->block);
    if (const auto tokens = m_links.find(owner, content->tokens, m_glass.pool().blockSize()))
        markTextOf(*tokens);
}

void BlockLinks::markTextOf(const TokenSpan& tokens)
{
    const auto place = m_links.textOf(tokens);
    m_page.markText(place && place->chat == m_page.chat() ? place->text : std::vector<MessageRange>{});
}

void BlockLinks::markBlocksOf(const std::vector<MessageRange>& ranges)
{
    if (ranges.empty() && !m_selected)
        return;
    m_selected = m_links.tokensOf(m_page.chat(), ranges);
    m_page.markText({});
    m_glass.selection().setBlocks(m_selected ? blocksOf(*m_selected) : std::vector<BlockId>{});
}

/// Blocks come and go while text stays selected.
void BlockLinks::updateBlocks()
{
    if (m_selected)
        m_glass.selection().setBlocks(blocksOf(*m_selected));
}

std::vector<BlockId> BlockLinks::blocksOf(const TokenSpan& tokens) const
{
    const PoolMirror& pool = m_glass.pool();
    std::vector<BlockId> blocks;
    if (pool.blockSize() == 0)
        return blocks;
    const auto first = static_cast<std::size_t>(tokens.first / pool.blockSize() * pool.layerGroups());
    const auto end = static_cast<std::size_t>(((tokens.end - 1) / pool.blockSize() + 1) * pool.layerGroups());
    if (const auto table = pool.table(tokens.sequence); !table.empty()) {
        for (std::size_t i = first; i < std::min(end, table.size()); ++i)
            if (table[i] != kNullBlock && pool.block(table[i]).filled > 0)
                blocks.push_back(table[i]);
        return blocks;
    }
    const auto remembered = m_tables.find(tokens.sequence);
    if (remembered == m_tables.end())
        return blocks;
    for (std::size_t i = first; i < std::min(end, remembered->second.size()); ++i) {
        const auto [block, hash] = remembered->second[i];
        const bool isThere = block.value < static_cast<std::uint32_t>(pool.numBlocks()) &&
                             pool.block(block).hashed && pool.block(block).hash == hash;
        if (isThere && block != kNullBlock)
            blocks.push_back(block);
    }
    return blocks;
}

} // namespace vitrine::ui
