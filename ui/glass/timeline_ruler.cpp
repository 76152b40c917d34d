// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_ruler.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr int kTickSpacing = 90; ///< pixels at least

/// The smallest of 1, 2, 5 × 10ⁿ at or above `wanted`.
double roundUp(double wanted)
{
    const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (decade * factor >= wanted * (1 - 1e-9))
            return decade * factor;
    return decade * 10;
}

QString label(double position, double spacing)
{
    const int decimals = spacing >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(spacing)));
    return QLocale().toString(position, 'f', decimals);
}

} // namespace

void paintRuler(QPainter& painter, const QRect& rect, const TimelineAxis& axis, const GlassColors& colors)
{
    const bool steps = axis.unit() == TimelineAxis::Unit::Steps;
    const double room = kTickSpacing / axis.pixelsPerUnit();
    const double spacing = roundUp(steps ? std::max(1.0, room) : room);
    const QFontMetrics metrics = painter.fontMetrics();
    painter.fillRect(rect.left(), rect.top(), rect.width(), 1, colors.grid);
    painter.setPen(colors.dimText);
    const auto first = static_cast<qint64>(std::floor(std::max(0.0, axis.positionAt(0)) / spacing));
    const auto last = static_cast<qint64>(std::ceil(axis.positionAt(axis.width()) / spacing));
    for (qint64 tick = std::max<qint64>(steps ? 1 : 0, first); tick <= last; ++tick) {
        const double position = static_cast<double>(tick) * spacing;
        const int x = rect.left() + static_cast<int>(axis.xOf(steps ? position + 0.5 : position));
        const QString text = label(position, spacing);
        const int half = metrics.horizontalAdvance(text) / 2;
        if (x - half < rect.left() || x + half > rect.right())
            continue;
        painter.fillRect(x, rect.top(), 1, 3, colors.mark);
        painter.drawText(QRect(x - half - 1, rect.top() + 1, 2 * half + 4, rect.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

} // namespace vitrine::ui
