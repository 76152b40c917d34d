// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/nested_bar.h"

#include "ui/glass/glass_colors.h"
#include "ui/glass/tool_tip.h"

#include <QLocale>
#include <QPainter>

namespace vitrine::ui {

namespace {

constexpr int kHeight = 12;

} // namespace

NestedBar::NestedBar(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Shares of the KV cache"));
}

QSize NestedBar::sizeHint() const
{
    return {200, kHeight};
}

void NestedBar::setFigures(const PoolFigures& figures)
{
    if (figures == m_figures)
        return;
    m_figures = figures;
    const QLocale locale;
    const auto slotCount = [&locale](qint64 count) { return locale.toString(count); };
    const QString free =
        tr("Thin: %1 slots of free blocks keep a prefix (cached-free)\n"
           "Empty: %2 slots are clean-free\n"
           "All: %3 slots")
            .arg(slotCount(qint64{figures.cachedBlocks} * figures.blockSize),
                 slotCount(qint64{figures.cleanBlocks} * figures.blockSize), slotCount(figures.totalSlots()));
    const QString held = figures.contiguous
                             ? tr("Solid: %1 slots hold tokens (used)\n"
                                  "Hatched: %2 slots are reserved and will be written\n"
                                  "Crossed: %3 slots are granted and never written (internal)\n")
                                   .arg(slotCount(figures.usedSlots), slotCount(figures.reservedSlots),
                                        slotCount(figures.internalSlots()))
                             : tr("Solid: %1 slots hold tokens (used)\n"
                                  "Pale: %2 slots of active blocks are not written yet (internal)\n")
                                   .arg(slotCount(figures.usedSlots), slotCount(figures.internalSlots()));
    const QString text = held + free;
    setToolTip(plainToolTip(text));
    setAccessibleDescription(text);
    update();
}

int NestedBar::pixels(double slotCount) const
{
    const auto total = static_cast<double>(m_figures.totalSlots());
    return total > 0 ? qRound(slotCount / total * width()) : 0;
}

void NestedBar::paintEvent(QPaintEvent*)
{
    const GlassColors colors = glassColors(palette());
    const double blockSize = m_figures.blockSize;
    const int used = pixels(static_cast<double>(m_figures.usedSlots));
    const int active = pixels(m_figures.activeBlocks * blockSize);
    const int willBe = m_figures.contiguous
                           ? pixels(static_cast<double>(m_figures.usedSlots + m_figures.reservedSlots))
                           : active;
    const int cached = pixels((m_figures.activeBlocks + m_figures.cachedBlocks) * blockSize);

    QPainter painter(this);
    painter.fillRect(rect(), colors.empty);
    painter.fillRect(QRect(active, height() / 3, cached - active, height() - 2 * (height() / 3)),
                     colors.mark);
    painter.fillRect(QRect(willBe, 0, active - willBe, height()), QBrush(colors.mark, Qt::DiagCrossPattern));
    if (m_figures.contiguous)
        painter.fillRect(QRect(used, 0, willBe - used, height()), QBrush(colors.dimText, Qt::BDiagPattern));
    else
        painter.fillRect(QRect(used, 0, active - used, height()),
                         mixed(colors.dimText, colors.background, kUnwrittenShare));
    painter.fillRect(QRect(0, 0, used, height()), colors.dimText);
    painter.setPen(colors.mark);
    if (active > used)
        painter.drawLine(active, 0, active, height() - 1);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace vitrine::ui
