// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QElapsedTimer>
#include <QRect>

#include <vector>

class QPainter;

namespace vitrine::ui {

/// What happened to a block, shown for kMillis over its cell: taken (a frame closes in on it), published (its
/// border comes thick), evicted (what it held shrinks away). More at once than kMost explain nothing and are
/// not shown.
class BlockMotion {
public:
    static constexpr qint64 kMillis = 200;
    static constexpr std::size_t kMost = 64;
    static constexpr int kReach = 4; ///< pixels around a cell that a motion may touch

    enum class Kind { Taken, Published, Evicted };

    void add(const QRect& cell, Kind kind, const QColor& color);
    void clear() { m_running.clear(); }
    [[nodiscard]] bool isRunning() const { return !m_running.empty(); }

    void paint(QPainter& painter) const;
    /// Around all that has to be painted anew; motions that have ended are gone then.
    [[nodiscard]] QRect advance();

private:
    struct Running {
        QRect cell;
        Kind kind;
        QColor color;
        QElapsedTimer since;
    };

    std::vector<Running> m_running;
};

} // namespace vitrine::ui
