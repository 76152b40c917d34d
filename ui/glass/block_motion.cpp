// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_motion.h"

#include <QPainter>

#include <algorithm>

namespace vitrine::ui {

namespace {

/// A line of `width` pixels inside the edges of `rect`.
void frame(QPainter& painter, const QRect& rect, int width, const QColor& color)
{
    const QRegion inner(rect.adjusted(width, width, -width, -width));
    for (const QRect& part : QRegion(rect).subtracted(inner))
        painter.fillRect(part, color);
}

} // namespace

void BlockMotion::add(const QRect& cell, Kind kind, const QColor& color)
{
    if (m_running.size() >= kMost)
        return;
    m_running.push_back({cell, kind, color, {}});
    m_running.back().since.start();
}

void BlockMotion::paint(QPainter& painter) const
{
    for (const Running& motion : m_running) {
        const double left = 1.0 - std::min(1.0, static_cast<double>(motion.since.elapsed()) / kMillis);
        const int reach = static_cast<int>(left * (kReach - 1));
        const int shrunk = static_cast<int>((1.0 - left) * motion.cell.width() / 2);
        switch (motion.kind) {
        case Kind::Taken:
            frame(painter, motion.cell.adjusted(-reach, -reach, reach, reach), 1, motion.color);
            break;
        case Kind::Published:
            frame(painter, motion.cell, 1 + reach, motion.color);
            break;
        case Kind::Evicted:
            painter.fillRect(motion.cell.adjusted(shrunk, shrunk, -shrunk, -shrunk), motion.color);
            break;
        }
    }
}

QRect BlockMotion::advance()
{
    QRect touched;
    for (const Running& motion : m_running)
        touched |= motion.cell.adjusted(-kReach, -kReach, kReach, kReach);
    std::erase_if(m_running, [](const Running& motion) { return motion.since.elapsed() >= kMillis; });
    return touched;
}

} // namespace vitrine::ui
