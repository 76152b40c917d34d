// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_painter.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace vitrine::ui {

namespace {

/// The hue's share in a cached block, by paleness; about a quarter on average.
constexpr std::array<double, kPalenessLevels> kCachedShares{0.40, 0.27, 0.14};
/// How much of the text's colour is in the border of a hashed block.
constexpr double kBorderShare = 0.55;

constexpr double kMixedCachedShare = 0.55;
/// A lower cross is a smudge.
constexpr int kLeastCross = 4;

/// Pixels; smaller cells have a point in the middle, and of this size.
constexpr int kLeastOutlined = 10;
constexpr int kPoint = 2;

/// Pixels of `whole` for `part` of `all`: something is never nothing.
int heightOf(int part, int all, int whole)
{
    return all <= 0 ? 0 : static_cast<int>((std::int64_t{whole} * part + all - 1) / all);
}

/// One pixel wide, whatever the scale: four rectangles are several times faster than drawRect with a pen.
void frame(QPainter& painter, const QRect& rect, const QColor& color)
{
    painter.fillRect(rect.left(), rect.top(), rect.width(), 1, color);
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color);
    painter.fillRect(rect.left(), rect.top() + 1, 1, rect.height() - 2, color);
    painter.fillRect(rect.right(), rect.top() + 1, 1, rect.height() - 2, color);
}

} // namespace

BlockPainter::BlockPainter(const GlassColors& colors, int blockSize)
    : m_colors(colors)
    , m_blockSize(std::max(1, blockSize))
{
}

void BlockPainter::paint(QPainter& painter, const QRect& rect, const BlockCell& cell) const
{
    switch (cell.kind) {
    case BlockKind::Null:
        paintNull(painter, rect);
        break;
    case BlockKind::Clean:
        paintClean(painter, rect);
        break;
    case BlockKind::Cached:
        paintCached(painter, rect, cell);
        break;
    case BlockKind::Active:
        paintActive(painter, rect, cell);
        break;
    }
}

/// Hollow: only its outline can be seen, and that can. Of small cells outlines would be a net that draws more
/// attention than the blocks that are used: these have a point.
void BlockPainter::paintClean(QPainter& painter, const QRect& rect) const
{
    const bool isSmall = rect.width() < kLeastOutlined;
    painter.fillRect(rect, isSmall ? m_colors.empty : m_colors.background);
    if (isSmall)
        painter.fillRect(QRect(rect.center() - QPoint(kPoint / 2, kPoint / 2), QSize(kPoint, kPoint)),
                         m_colors.mark);
    else
        frame(painter, rect, m_colors.mark);
}

void BlockPainter::paintNull(QPainter& painter, const QRect& rect) const
{
    painter.fillRect(rect, m_colors.background);
    frame(painter, rect, m_colors.mark);
    painter.setPen(m_colors.mark);
    painter.drawLine(rect.bottomLeft(), rect.topRight());
}

void BlockPainter::paintCached(QPainter& painter, const QRect& rect, const BlockCell& cell) const
{
    const QColor hue = sequenceColor(cell.colorSlot, m_colors.shade);
    painter.fillRect(rect, mixed(hue, m_colors.background, kCachedShares[cell.paleness]));
    frame(painter, rect, mixed(hue, m_colors.background, 0.75));
}

void BlockPainter::paintActive(QPainter& painter, const QRect& rect, const BlockCell& cell) const
{
    const QColor hue = sequenceColor(cell.colorSlot, m_colors.shade);
    painter.fillRect(rect, mixed(hue, m_colors.background, kUnwrittenShare));
    const int height = std::min(rect.height(), heightOf(cell.filled, m_blockSize, rect.height()));
    painter.fillRect(rect.adjusted(0, rect.height() - height, 0, 0), brush(cell.colorSlot));
    if (cell.granted) {
        paintRun(painter, rect.adjusted(0, 0, 0, -height), cell);
        frame(painter, rect, hue);
    }
    if (cell.hashed)
        frame(painter, rect, mixed(m_colors.text, hue, kBorderShare));
    if (cell.shared)
        paintSharedDot(painter, rect);
}

/// Above what is written: hatched what will be, crossed what never will.
void BlockPainter::paintRun(QPainter& painter, const QRect& unwritten, const BlockCell& cell) const
{
    const int reserved =
        std::min(unwritten.height(), heightOf(cell.reserved, m_blockSize - cell.filled, unwritten.height()));
    const QRect will = unwritten.adjusted(0, unwritten.height() - reserved, 0, 0);
    const QRect never = unwritten.adjusted(0, 0, 0, -reserved);
    const QColor hue = sequenceColor(cell.colorSlot, m_colors.shade);
    painter.fillRect(never, m_colors.background);
    if (!will.isEmpty())
        painter.fillRect(will, QBrush(hue, Qt::BDiagPattern));
    if (never.height() < kLeastCross)
        return;
    painter.setPen(m_colors.mark);
    painter.drawLine(never.topLeft(), never.bottomRight());
    painter.drawLine(never.bottomLeft(), never.topRight());
}

void BlockPainter::paint(QPainter& painter, const QRect& rect, const BlockMix& mix) const
{
    if (mix.active + mix.cached == 0 && mix.blocks > 0)
        return paintClean(painter, rect);
    painter.fillRect(rect, m_colors.empty);
    if (mix.blocks == 0)
        return;
    const int active = heightOf(mix.active, mix.blocks, rect.height());
    const int held = std::max(active, heightOf(mix.active + mix.cached, mix.blocks, rect.height()));
    const QColor hue = sequenceColor(mix.colorSlot, m_colors.shade);
    const int inset = std::max(1, rect.width() / 4);
    painter.fillRect(rect.adjusted(inset, rect.height() - held, -inset, -active),
                     mixed(hue, m_colors.background, kMixedCachedShare));
    painter.fillRect(rect.adjusted(0, rect.height() - active, 0, 0), brush(mix.colorSlot));
    if (mix.shared > 0)
        paintSharedDot(painter, rect);
}

void BlockPainter::paintMark(QPainter& painter, const QRect& rect) const
{
    frame(painter, rect, m_colors.text);
    frame(painter, rect.adjusted(1, 1, -1, -1), m_colors.background);
    frame(painter, rect.adjusted(-1, -1, 1, 1), m_colors.text);
}

void BlockPainter::paintSharedDot(QPainter& painter, const QRect& rect) const
{
    constexpr int kRoundFrom = 6; ///< pixels; below that a square is the rounder
    const int side = std::max({3, rect.width() / 3, std::min(rect.width() / 2, 5)});
    const QRect dot(rect.right() - side, rect.top() + 1, side, side);
    if (side < kRoundFrom) {
        painter.fillRect(dot.adjusted(-1, -1, 1, 1), m_colors.background);
        painter.fillRect(dot, m_colors.text);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_colors.background, 1));
    painter.setBrush(m_colors.text);
    painter.drawEllipse(QRectF(dot).adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.restore();
}

const QBrush& BlockPainter::brush(int slot) const
{
    auto known = m_brushes.find(slot);
    if (known == m_brushes.end())
        known = m_brushes.insert(slot, sequenceBrush(slot, m_colors.shade, m_colors.background));
    return *known;
}

} // namespace vitrine::ui
