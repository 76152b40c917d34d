// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_legend.h"

#include "ui/glass/block_map_panel.h"
#include "ui/glass/block_painter.h"
#include "ui/glass/legend.h"

namespace vitrine::ui {

namespace {

constexpr int kSampleSide = 16;
constexpr int kSampleSlots = 16;

using K = BlockKind;

void add(Legend* legend, const BlockCell& cell, const QString& word, const QString& meaning)
{
    legend->add(
        [cell](QPainter& painter, const QRect& rect, const GlassColors& colors) {
            BlockPainter(colors, kSampleSlots).paint(painter, rect, cell);
        },
        word, meaning);
}

/// What a block of a paged pool can be.
void addStates(Legend* legend)
{
    constexpr int kFull = kSampleSlots;
    add(legend, {.kind = K::Clean}, BlockMapPanel::tr("clean-free"),
        BlockMapPanel::tr("free, and nothing is kept in it; in small cells a point in the middle"));
    add(legend, {.kind = K::Active, .colorSlot = 0, .filled = 6}, BlockMapPanel::tr("active"),
        BlockMapPanel::tr("in use by the chat of this colour, filled from below; the rest waits for tokens"));
    add(legend, {.kind = K::Active, .hashed = true, .colorSlot = 0, .filled = kFull},
        BlockMapPanel::tr("hashed"),
        BlockMapPanel::tr("a border: full, and a later prompt that begins alike may share it"));
    add(legend, {.kind = K::Active, .hashed = true, .shared = true, .colorSlot = 0, .filled = kFull},
        BlockMapPanel::tr("shared"),
        BlockMapPanel::tr("a mark in the upper right corner: several sequences read it; click the block, and "
                          "who holds it has a dot beside the name"));
    add(legend, {.kind = K::Cached, .hashed = true, .colorSlot = 0, .filled = kFull},
        BlockMapPanel::tr("cached-free"),
        BlockMapPanel::tr("free too, but its prefix is kept; the paler, the sooner it is taken"));
    add(legend, {.kind = K::Active, .colorSlot = 8, .filled = kFull}, BlockMapPanel::tr("texture"),
        BlockMapPanel::tr("from the ninth chat on colours come again, with a texture"));
}

void addContiguousStates(Legend* legend)
{
    add(legend, {.kind = K::Active, .granted = true, .colorSlot = 0, .filled = 4, .reserved = 12},
        BlockMapPanel::tr("reserved"),
        BlockMapPanel::tr("contiguous modes, hatched: granted, and will be written"));
    add(legend, {.kind = K::Active, .granted = true, .colorSlot = 0, .filled = 0, .reserved = 0},
        BlockMapPanel::tr("never used"),
        BlockMapPanel::tr("contiguous modes, crossed: granted, but the answer cannot get so long"));
}

/// What is painted over blocks, or for several.
void addMarks(Legend* legend)
{
    legend->add(
        [](QPainter& painter, const QRect& rect, const GlassColors& colors) {
            BlockPainter(colors, kSampleSlots)
                .paint(painter, rect, BlockMix{.blocks = 8, .active = 3, .cached = 3, .colorSlot = 0});
        },
        BlockMapPanel::tr("many blocks"),
        BlockMapPanel::tr(
            "one cell for several: below, wide, the active ones; above, narrow, the cached-free "
            "ones; + comes closer"));
    legend->add(
        [](QPainter& painter, const QRect& rect, const GlassColors& colors) {
            const BlockPainter painted(colors, kSampleSlots);
            painted.paint(painter, rect,
                          BlockCell{.kind = K::Active, .colorSlot = 0, .filled = kSampleSlots});
            painted.paintMark(painter, rect.adjusted(1, 1, -1, -1));
        },
        BlockMapPanel::tr("marked"),
        BlockMapPanel::tr(
            "two lines: holds what is selected in the conversation, or was clicked; one line around blocks: "
            "those of the chosen chat. What is taken or gets full has a grey frame for a moment"));
    add(legend, {.kind = K::Null}, BlockMapPanel::tr("null block"),
        BlockMapPanel::tr("block 0, never handed out: it stands where no memory is needed"));
}

} // namespace

Legend* makeBlockLegend()
{
    auto* legend = new Legend(BlockMapPanel::tr("Legend of the block map"), {kSampleSide, kSampleSide});
    addStates(legend);
    addContiguousStates(legend);
    addMarks(legend);
    return legend;
}

} // namespace vitrine::ui
