// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/block_sharing.h"

#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/title_list.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <iterator>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(BlockSharing)
};

bool isShared(const PoolMirror& pool, BlockId block)
{
    return block != kNullBlock && pool.block(block).refCount > 1;
}

/// Reads the tables of a pool, each to its first block that is not shared.
class Reader {
public:
    explicit Reader(const PoolMirror& pool)
        : m_pool(pool)
    {
    }

    std::optional<BlockSharing> read()
    {
        for (const auto& [sequence, table] : m_pool.tables()) {
            if (table.empty())
                continue;
            auto& group = readTable(sequence, table) ? m_sharing.sharers : m_sharing.others;
            group.push_back(sequence);
        }
        if (m_sharing.blocks == 0 || m_sharing.blocks != m_pool.sharedBlocks() || m_left < 0)
            return std::nullopt;
        return m_sharing;
    }

private:
    bool readTable(SequenceId sequence, const std::vector<BlockId>& table)
    {
        bool found = false;
        for (const BlockId block : table) {
            if (block == kNullBlock)
                continue;
            if (!isShared(m_pool, block) || --m_left < 0)
                break;
            const auto owners = m_pool.owners(block);
            if (owners.empty())
                break; // the mirror does not fit the engine's
            found = true;
            if (owners.front() == sequence) // each block once
                take(owners);
        }
        return found;
    }

    void take(std::span<const SequenceId> owners)
    {
        m_left -= static_cast<std::int64_t>(owners.size());
        if (++m_sharing.blocks == 1)
            m_first.assign(owners.begin(), owners.end());
        else if (m_sharing.isOneGroup)
            m_sharing.isOneGroup = std::ranges::equal(m_first, owners);
    }

    const PoolMirror& m_pool;
    BlockSharing m_sharing;
    std::vector<SequenceId> m_first; ///< who holds the first shared block
    std::int64_t m_left = kMostLooked;
};

QString titlesOf(const GlassModel& glass, std::span<const SequenceId> sequences)
{
    QStringList titles;
    for (const SequenceId sequence : sequences.first(std::min(sequences.size(), std::size_t(kMostListed))))
        titles << quoted(glass.directory().label(sequence).title);
    return listed(titles, static_cast<qsizetype>(sequences.size()));
}

/// Who, as far as it is short.
QString sharersText(const GlassModel& glass, const BlockSharing& sharing)
{
    const std::size_t all = sharing.sharers.size() + sharing.others.size();
    const QString count = number(static_cast<qint64>(sharing.sharers.size()));
    if (sharing.sharers.size() == 2)
        return Text::tr("by %1").arg(titlesOf(glass, sharing.sharers));
    if (sharing.others.empty())
        return (sharing.isOneGroup ? Text::tr("by all %1 requests")
                                   : Text::tr("in groups, among all %1 requests"))
            .arg(count);
    const QString some = (sharing.isOneGroup ? Text::tr("by %1 of %2 requests")
                                             : Text::tr("in groups, among %1 of %2 requests"))
                             .arg(count, number(static_cast<qint64>(all)));
    return sharing.others.size() > std::size_t(kMostListed)
               ? some
               : Text::tr("%1, not by %2").arg(some, titlesOf(glass, sharing.others));
}

/// What its sequences hold, each block once.
std::vector<BlockId> blocksOf(const GlassModel& glass, qint64 chat)
{
    std::vector<BlockId> blocks;
    for (const auto& [sequence, table] : glass.pool().tables())
        if (glass.directory().chatOf(sequence) == chat)
            std::ranges::copy_if(table, std::back_inserter(blocks),
                                 [](BlockId block) { return block != kNullBlock; });
    std::ranges::sort(blocks);
    const auto again = std::ranges::unique(blocks);
    blocks.erase(again.begin(), again.end());
    return blocks;
}

} // namespace

std::optional<BlockSharing> blockSharing(const PoolMirror& pool)
{
    return Reader(pool).read();
}

QString sharingSentence(const GlassModel& glass)
{
    const PoolFigures& figures = glass.figures();
    if (figures.sharedBlocks == 0)
        return {};
    const auto sharing = blockSharing(glass.pool());
    const QString saved = number(figures.savedBlocks());
    if (!sharing)
        return Text::tr("%Ln block(s), marked in the corner, are shared: %1 saved.", nullptr,
                        figures.sharedBlocks)
            .arg(saved);
    return Text::tr("%Ln block(s), marked in the corner, are shared %1: %2 saved.", nullptr,
                    figures.sharedBlocks)
        .arg(sharersText(glass, *sharing), saved);
}

QString holdingsOf(const GlassModel& glass, qint64 chat)
{
    const PoolMirror& pool = glass.pool();
    const std::vector<BlockId> held = blocksOf(glass, chat);
    if (held.empty())
        return {};
    const QString all = Text::tr("holds %Ln block(s)", nullptr, static_cast<int>(held.size()));
    const auto isOthers = [&](SequenceId owner) { return glass.directory().chatOf(owner) != chat; };
    std::vector<BlockId> shared;
    std::ranges::copy_if(held, std::back_inserter(shared), [&](BlockId block) {
        return isShared(pool, block) && std::ranges::any_of(pool.owners(block), isOthers);
    });
    if (shared.empty())
        return all;
    std::vector<SequenceId> others = holdersOf(pool, shared);
    std::erase_if(others, std::not_fn(isOthers));
    return Text::tr("%1, %2 of them shared with %3")
        .arg(all, number(static_cast<qint64>(shared.size())), titlesOf(glass, others));
}

std::vector<SequenceId> holdersOf(const PoolMirror& pool, std::span<const BlockId> blocks)
{
    std::vector<SequenceId> holders;
    for (const BlockId block : blocks) {
        if (block.value >= static_cast<std::uint32_t>(pool.numBlocks()))
            continue;
        const auto owners = pool.owners(block);
        if (std::ranges::includes(holders, owners))
            continue; // as those before it, most often
        std::vector<SequenceId> both;
        std::ranges::set_union(holders, owners, std::back_inserter(both));
        holders = std::move(both);
    }
    return holders;
}

std::vector<SequenceId> markedHolders(const GlassModel& glass)
{
    return holdersOf(glass.pool(), glass.selection().blocks());
}

} // namespace vitrine::ui
