// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/draw_title.h"

#include "ui/models/chat_title.h"

#include <QPainter>

namespace vitrine::ui {

namespace {

constexpr int kBelow = 2; ///< pixels, for what hangs below the font's own height

} // namespace

void drawTitle(QPainter& painter, const QRect& rect, const QString& title)
{
    const QFontMetrics metrics = painter.fontMetrics();
    QRect line(rect.left(), 0, rect.width(), metrics.height());
    line.moveCenter(rect.center());
    const int accent = metrics.height() / 4; // of a capital letter, beyond the font's own height
    painter.save();
    painter.setClipRect(line.adjusted(0, -accent, 0, kBelow), Qt::IntersectClip);
    painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     elidedTitle(metrics, title, rect.width()));
    painter.restore();
}

} // namespace vitrine::ui
