// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/glass_colors.h"
#include "ui/models/block_map_model.h"

#include <QHash>

class QPainter;

namespace vitrine::ui {

/// Draws one block, or several in one cell. Every state has a shape of its own, beside its colour: see the
/// legend.
class BlockPainter {
public:
    BlockPainter() = default;
    BlockPainter(const GlassColors& colors, int blockSize);

    void paint(QPainter& painter, const QRect& rect, const BlockCell& cell) const;
    /// From below: active ones as wide as the cell, cached ones narrower and paler, then the free ground.
    void paint(QPainter& painter, const QRect& rect, const BlockMix& mix) const;
    /// Around a cell that somebody points at: a double line, dark and light, on any ground.
    void paintMark(QPainter& painter, const QRect& rect) const;

private:
    void paintClean(QPainter& painter, const QRect& rect) const;
    void paintNull(QPainter& painter, const QRect& rect) const;
    void paintCached(QPainter& painter, const QRect& rect, const BlockCell& cell) const;
    void paintActive(QPainter& painter, const QRect& rect, const BlockCell& cell) const;
    void paintRun(QPainter& painter, const QRect& unwritten, const BlockCell& cell) const;
    void paintSharedDot(QPainter& painter, const QRect& rect) const;
    [[nodiscard]] const QBrush& brush(int slot) const;

    GlassColors m_colors;
    int m_blockSize = 1;
    mutable QHash<int, QBrush> m_brushes; ///< by colour slot: textures are made once
};

} // namespace vitrine::ui
