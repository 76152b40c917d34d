// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/block_map_model.h"

#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/sequence_palette.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace vitrine::ui {

namespace {

/// Ranking walks the whole free queue at each drain: up to this many blocks that costs under 0.2 ms.
constexpr int kMaxRankedBlocks = 65'536;

/// Colour slots that look different from each other: see sequence_palette.h.
constexpr int kLooks = 32;

/// Those who hold one block, by name.
constexpr std::size_t kMostHolders = 12;

/// Owners that a merged cell names.
constexpr int kMostOwners = 3;

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(BlockMapModel)
};

BlockKind kindOf(const PoolMirror& pool, BlockId block)
{
    if (block == kNullBlock)
        return BlockKind::Null;
    if (!pool.isFree(block))
        return BlockKind::Active;
    return pool.block(block).hashed ? BlockKind::Cached : BlockKind::Clean;
}

/// Whether cached blocks pale towards their eviction.
bool isRanked(const PoolMirror& pool)
{
    return pool.cachedFreeBlocks() > 0 && pool.numBlocks() <= kMaxRankedBlocks;
}

QString stateWords(const BlockState& state, BlockKind kind)
{
    switch (kind) {
    case BlockKind::Null:
        return Text::tr("the null block, never handed out");
    case BlockKind::Clean:
        return Text::tr("clean-free, nothing is kept in it");
    case BlockKind::Cached:
        return Text::tr("cached-free, its prefix is kept until the block is needed");
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
    m_isMarked.assign(count, false);
    m_marked.clear();
    rankCached();
    takeMarks();
    m_next = 0;
    m_left = static_cast<std::uint32_t>(count);
    (void)lookOn();
}

std::vector<BlockId> BlockMapModel::update()
{
    if (m_glass.changedBlocks().size() > kSlice)
        return recolor();
    std::vector<BlockId> changed;
    for (const BlockId block : m_glass.changedBlocks())
        refresh(block, changed);
    if (!isRanked(m_glass.pool()))
        return changed;
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
    takeMarks();
    m_left = static_cast<std::uint32_t>(m_cells.size());
    return lookOn();
}

std::vector<BlockId> BlockMapModel::lookOn()
{
    std::vector<BlockId> changed;
    for (std::uint32_t slice = std::min(m_left, kSlice); slice > 0; --slice, --m_left) {
        m_next = m_next < m_cells.size() ? m_next : 0;
        refresh(BlockId{m_next++}, changed);
    }
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
    BlockCell cell{.kind = kindOf(pool, block), .marked = m_isMarked[block.value]};
    if (cell.kind == BlockKind::Null || cell.kind == BlockKind::Clean)
        return cell;
    cell.hashed = state.hashed;
    cell.shared = state.refCount > 1;
    cell.filled = state.filled;
    cell.chosen = isChosen(block);
    cell.paleness = cell.kind == BlockKind::Cached ? m_paleness[block.value] : std::uint8_t{0};
    cell.colorSlot = static_cast<std::int16_t>(m_glass.directory().colorSlot(colorOwner(block)));
    if (pool.isContiguous() && cell.kind == BlockKind::Active)
        showRun(block, cell);
    return cell;
}

bool BlockMapModel::isChosen(BlockId block) const
{
    const GlassSelection& selection = m_glass.selection();
    const auto owners = m_glass.pool().owners(block);
    return owners.empty()
               ? selection.includes(m_glass.lastOwner(block))
               : std::ranges::any_of(owners, [&](SequenceId owner) { return selection.includes(owner); });
}

/// Which of its slots will be written, and which never. A run stands side by side: its first block tells
/// where in it this one is.
void BlockMapModel::showRun(BlockId block, BlockCell& cell) const
{
    const PoolMirror& pool = m_glass.pool();
    const auto owners = pool.owners(block);
    if (owners.empty() || pool.table(owners.front()).empty())
        return; // the mirror does not fit the engine's
    const SequenceId owner = owners.front();
    const auto entry = static_cast<std::int32_t>(block.value - pool.table(owner).front().value);
    const std::int32_t row = entry / pool.layerGroups();
    const std::int32_t final =
        std::clamp(pool.finalSlots(owner) / pool.layerGroups() - row * pool.blockSize(), 0, pool.blockSize());
    cell.granted = true;
    cell.reserved = std::max(0, final - cell.filled);
}

void BlockMapModel::takeMarks()
{
    for (const BlockId block : m_marked)
        m_isMarked[block.value] = false;
    const auto chosen = m_glass.selection().blocks();
    m_marked.assign(chosen.begin(), chosen.end());
    std::erase_if(m_marked, [this](BlockId block) { return block.value >= m_isMarked.size(); });
    for (const BlockId block : m_marked)
        m_isMarked[block.value] = true;
}

BlockMix BlockMapModel::mix(std::span<const BlockId> blocks) const
{
    BlockMix mix;
    std::array<std::int32_t, kLooks + 1> active{};
    std::array<std::int32_t, kLooks + 1> cached{};
    for (const BlockId block : blocks) {
        const BlockCell& cell = m_cells[block.value];
        const auto look = static_cast<std::size_t>(cell.colorSlot < 0 ? kLooks : cell.colorSlot % kLooks);
        mix.blocks += cell.kind != BlockKind::Null;
        mix.active += cell.kind == BlockKind::Active;
        mix.cached += cell.kind == BlockKind::Cached;
        active[look] += cell.kind == BlockKind::Active;
        cached[look] += cell.kind == BlockKind::Cached;
        mix.shared += cell.shared;
        mix.chosen |= cell.chosen;
        mix.marked |= cell.marked;
    }
    const auto& counts = mix.active > 0 ? active : cached;
    const auto look = static_cast<int>(std::ranges::max_element(counts) - counts.begin());
    mix.colorSlot = static_cast<std::int16_t>(look == kLooks ? kNeutralSlot : look);
    return mix;
}

SequenceId BlockMapModel::colorOwner(BlockId block) const
{
    const auto owners = m_glass.pool().owners(block);
    return owners.empty() ? m_glass.lastOwner(block) : owners.front();
}

void BlockMapModel::rankCached()
{
    const PoolMirror& pool = m_glass.pool();
    if (!isRanked(pool))
        return;
    const int cached = pool.cachedFreeBlocks();
    int rank = 0;
    const FreeQueue& queue = pool.freeQueue();
    for (BlockId block = queue.front(); block != kNullBlock; block = queue.next(block))
        if (pool.block(block).hashed)
            m_paleness[block.value] =
                static_cast<std::uint8_t>(kPalenessLevels - 1 - rank++ * kPalenessLevels / cached);
}

/// The chats that hold most of them, each with its number of blocks.
QString BlockMapModel::mixOwners(std::span<const BlockId> blocks) const
{
    std::map<QString, int> counts;
    for (const BlockId block : blocks)
        if (m_cells[block.value].kind == BlockKind::Active)
            ++counts[m_glass.directory().label(colorOwner(block)).title];
    std::vector<std::pair<QString, int>> most(counts.begin(), counts.end());
    std::ranges::stable_sort(most, std::greater{}, &std::pair<QString, int>::second);
    QStringList parts;
    for (const auto& [title, count] : most) {
        if (parts.size() == kMostOwners) {
            parts << Text::tr("…");
            break;
        }
        parts << Text::tr("%1: %2").arg(title, number(count));
    }
    return parts.join(QLatin1String(", "));
}

BlockDetails BlockMapModel::details(std::span<const BlockId> blocks, bool ranged) const
{
    const BlockMix all = mix(blocks);
    BlockDetails details;
    details.headline =
        ranged ? Text::tr("Blocks %1 to %2").arg(number(blocks.front().value), number(blocks.back().value))
               : Text::tr("%Ln block(s)", nullptr, static_cast<int>(blocks.size()));
    details.lines.push_back(
        Text::tr("active: %1, of these shared: %2").arg(number(all.active), number(all.shared)));
    details.lines.push_back(
        Text::tr("cached-free: %1, clean-free: %2").arg(number(all.cached), number(all.clean())));
    if (all.active > 0)
        details.lines.push_back(mixOwners(blocks));
    return details;
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
    const auto owners = pool.owners(block);
    for (const SequenceId owner : owners.first(std::min(owners.size(), kMostHolders))) {
        const auto table = pool.table(owner);
        const auto row = (std::find(table.begin(), table.end(), block) - table.begin()) / pool.layerGroups();
        const qint64 first = static_cast<qint64>(row) * pool.blockSize();
        lines.push_back(Text::tr("%1 (sequence %2), tokens %3 to %4")
                            .arg(m_glass.directory().label(owner).title, number(owner.value), number(first),
                                 number(first + std::max(pool.block(block).filled, 1) - 1)));
    }
    if (lines.size() < owners.size())
        lines.push_back(Text::tr("and %Ln more", nullptr, static_cast<int>(owners.size() - lines.size())));
    if (lines.empty() && m_glass.lastOwner(block).value != 0)
        lines.push_back(
            Text::tr("last used by %1").arg(m_glass.directory().label(m_glass.lastOwner(block)).title));
    return lines;
}

} // namespace vitrine::ui
