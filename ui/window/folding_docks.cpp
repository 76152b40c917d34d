// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/folding_docks.h"

#include "ui/theme/theme.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTabBar>

#include <utility>

namespace vitrine::ui {

FoldingDocks::FoldingDocks(QMainWindow& window, QList<QDockWidget*> docks)
    : QObject(&window)
    , m_window(window)
    , m_docks(std::move(docks))
{
    window.setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    layOut();
    window.installEventFilter(this);
}

void FoldingDocks::layOut()
{
    QDockWidget* first = m_docks.first();
    m_window.addDockWidget(Qt::BottomDockWidgetArea, first);
    m_window.splitDockWidget(first, m_docks[1], Qt::Horizontal);
    for (qsizetype i = 2; i < m_docks.size(); ++i)
        m_window.splitDockWidget(m_docks[i - 1], m_docks[i], Qt::Vertical);
    m_window.resizeDocks({first, m_docks[1]}, {m_window.width() * 2 / 5, m_window.width() * 3 / 5},
                         Qt::Horizontal);
    m_window.resizeDocks({m_docks[1], m_docks[2]}, {m_window.height() * 3 / 5, m_window.height() * 2 / 5},
                         Qt::Vertical);
}

bool FoldingDocks::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show ||
        event->type() == QEvent::FontChange)
        adapt();
    return QObject::eventFilter(watched, event);
}

void FoldingDocks::adapt()
{
    if (!m_folded) // and a little more: below its least size a window could not be made smaller
        m_needed = m_window.minimumSizeHint() + QSize(kGroupGap, kGroupGap);
    const bool fits = m_window.width() >= m_needed.width() && m_window.height() >= m_needed.height();
    if (fits == !m_folded)
        return;
    m_folded = !fits;
    if (fits) {
        m_window.restoreState(m_unfolded);
        return;
    }
    m_unfolded = m_window.saveState();
    fold();
}

void FoldingDocks::fold()
{
    for (qsizetype i = 1; i < m_docks.size(); ++i)
        if (!m_docks[i]->isFloating())
            m_window.tabifyDockWidget(m_docks.first(), m_docks[i]);
    m_docks.first()->raise();
    for (QTabBar* bar : m_window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
        bar->setAccessibleName(tr("Panels"));
}

} // namespace vitrine::ui
