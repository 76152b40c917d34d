// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/block_map_model.h"

#include "ui/models/glass_model.h"
#include "ui/models/pool_mirror.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace vitrine::ui {

namespace {

/// Ranking walks the whole free queue at each drain: up to this many blocks that costs under 0.2 ms.
constexpr int kMaxRankedBlocks = 65'536;

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(BlockMapModel)
};

QString number(qint64 value)
{
    return QLocale().toString(value);
}

BlockKind kindOf(const PoolMirror& pool, BlockId block)
{
    if (block == kNullBlock)
        return BlockKind::Null;
    if (!pool.isFree(block))
        return BlockKind::Active;
    return pool.block(block).hashed ? BlockKind::Cached : BlockKind::Clean;
}

QString stateWords(const BlockState& state, BlockKind kind)
{
    switch (kind) {
    case BlockKind::Null:
        return Text::tr("the null block, never handed out");
    case BlockKind::Clean:
        return Text::tr("free, nothing kept in it");
    case BlockKind::Cached:
        return Text::tr("free, but its prefix is kept until the block is needed");
    case BlockKind::Active:
        return state.refCount > 1 ? Text::tr("active, shared by %1").arg(state.refCount) : Text::tr("active");
    }
    return {};
}

} // namespace

QString BlockDetails::text() const
{
    QString text = headline;
    for (const QString& line : lines)
        text += QLatin1Char('\n') + line;
    return text;
}

BlockMapModel::BlockMapModel(const GlassModel& glass)
    : m_glass(glass)
{
    reset();
}

void BlockMapModel::reset()
{
    const auto count = static_cast<std::size_t>(m_glass.pool().numBlocks());
    m_cells.assign(count, {});
    m_paleness.assign(count, 0);
    rankCached();
    for (std::uint32_t block = 0; block < count; ++block)
        m_cells[block] = cellOf(BlockId{block});
}

std::vector<BlockId> BlockMapModel::update()
{
    std::vector<BlockId> changed;
    for (const BlockId block : m_glass.changedBlocks())
        refresh(block, changed);
    rankCached();
    const FreeQueue& queue = m_glass.pool().freeQueue();
    for (BlockId block = queue.front(); block != kNullBlock; block = queue.next(block))
        if (m_cells[block.value].kind == BlockKind::Cached &&
            m_cells[block.value].paleness != m_paleness[block.value])
            refresh(block, changed);
    return changed;
}

std::vector<BlockId> BlockMapModel::recolor()
{
    rankCached();
    std::vector<BlockId> changed;
    for (std::uint32_t block = 0; block < m_cells.size(); ++block)
        refresh(BlockId{block}, changed);
    return changed;
}

int BlockMapModel::blockSize() const
{
    return m_glass.pool().blockSize();
}

void BlockMapModel::refresh(BlockId block, std::vector<BlockId>& changed)
{
    const BlockCell cell = cellOf(block);
    if (cell == m_cells[block.value])
        return;
    m_cells[block.value] = cell;
    changed.push_back(block);
}

BlockCell BlockMapModel::cellOf(BlockId block) const
{
    const PoolMirror& pool = m_glass.pool();
    const BlockState& state = pool.block(block);
    BlockCell cell{.kind = kindOf(pool, block)};
    if (cell.kind == BlockKind::Null || cell.kind == BlockKind::Clean)
        return cell;
    cell.hashed = state.hashed;
    cell.shared = state.refCount > 1;
    cell.filled = static_cast<std::uint16_t>(state.filled);
    cell.paleness = cell.kind == BlockKind::Cached ? m_paleness[block.value] : std::uint8_t{0};
    cell.colorSlot = static_cast<std::int16_t>(m_glass.directory().colorSlot(colorOwner(block)));
    return cell;
}

SequenceId BlockMapModel::colorOwner(BlockId block) const
{
    const auto owners = m_glass.pool().owners(block);
    return owners.empty() ? m_glass.lastOwner(block) : owners.front();
}

void BlockMapModel::rankCached()
{
    const PoolMirror& pool = m_glass.pool();
    const int cached = pool.cachedFreeBlocks();
    if (cached == 0 || pool.numBlocks() > kMaxRankedBlocks)
        return;
    int rank = 0;
    const FreeQueue& queue = pool.freeQueue();
    for (BlockId block = queue.front(); block != kNullBlock; block = queue.next(block))
        if (pool.block(block).hashed)
            m_paleness[block.value] =
                static_cast<std::uint8_t>(kPalenessLevels - 1 - rank++ * kPalenessLevels / cached);
}

BlockDetails BlockMapModel::details(BlockId block) const
{
    const PoolMirror& pool = m_glass.pool();
    const BlockState& state = pool.block(block);
    const BlockKind kind = kindOf(pool, block);
    BlockDetails details;
    details.headline = Text::tr("Block %1: %2").arg(number(block.value), stateWords(state, kind));
    if (kind == BlockKind::Null || kind == BlockKind::Clean)
        return details;
    details.lines = ownerLines(block);
    details.lines.push_back(
        Text::tr("%1 of %2 slots filled").arg(number(state.filled), number(pool.blockSize())));
    details.lines.push_back(state.hashed ? Text::tr("hashed: later prompts may share it")
                                         : Text::tr("not hashed: only full blocks can be shared"));
    if (pool.lastStep(block) > 0)
        details.lines.push_back(
            Text::tr("last changed at step %1").arg(number(static_cast<qint64>(pool.lastStep(block)))));
    return details;
}

std::vector<QString> BlockMapModel::ownerLines(BlockId block) const
{
    const PoolMirror& pool = m_glass.pool();
    std::vector<QString> lines;
    for (const SequenceId owner : pool.owners(block)) {
        const auto table = pool.table(owner);
        const auto row = (std::find(table.begin(), table.end(), block) - table.begin()) / pool.layerGroups();
        const qint64 first = static_cast<qint64>(row) * pool.blockSize();
        lines.push_back(Text::tr("%1 (sequence %2), tokens %3 to %4")
                            .arg(m_glass.directory().label(owner).title, number(owner.value), number(first),
                                 number(first + std::max(pool.block(block).filled, 1) - 1)));
    }
    if (lines.empty() && m_glass.lastOwner(block).value != 0)
        lines.push_back(
            Text::tr("last used by %1").arg(m_glass.directory().label(m_glass.lastOwner(block)).title));
    return lines;
}

} // namespace vitrine::ui
