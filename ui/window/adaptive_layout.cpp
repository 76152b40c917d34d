// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/adaptive_layout.h"

#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"

#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QIODevice>
#include <QLayout>
#include <QMainWindow>
#include <QTabBar>

#include <algorithm>

namespace vitrine::ui {
namespace {

enum Tab { ChatTab, GlassTab };

/// The least share of the window's width for the glass; it gets what the chat's column does not need.
constexpr double kGlassShare = 0.42;
constexpr int kChatWidthInLetters = 110; ///< the column of 76, in its larger type, and air on both sides
/// Of the glass' height for each dock.
constexpr int kRailPercent = 18, kRailMin = 200, kRailMax = 320;
constexpr double kDockShares[] = {0.3, 0.36, 0.34};
/// Lines of text that the window must be high for three docks above each other.
constexpr int kLinesForThreeDocks = 45;
/// In the tab, which is what a small window has instead, for rows of the timeline to be seen between the two.
constexpr int kLinesForThreeInTab = 52;
/// Before a saved layout that says which widths are wanted; without it, it is the window's own state.
constexpr quint32 kWithWidths = 0x76744c31;
constexpr int kMostWidth = 16384; ///< that a saved layout can ask for

} // namespace

AdaptiveLayout::AdaptiveLayout(QMainWindow& window, QTabBar* tabs, QDockWidget* rail,
                               QList<QDockWidget*> glass)
    : QObject(&window)
    , m_window(window)
    , m_tabs(tabs)
    , m_rail(rail)
    , m_glass(std::move(glass))
    , m_default(window.saveState())
{
    m_tabs->addTab(tr("Chat"));
    m_tabs->addTab(tr("Glass"));
    m_tabs->setObjectName(QStringLiteral("glass-tabs"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName(tr("Chat or glass"));
    connect(m_tabs, &QTabBar::currentChanged, this, &AdaptiveLayout::apply);
    for (QDockWidget* dock : m_glass) {
        connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool shown) {
            if (!m_narrow || dock->isFloating())
                return;
            m_wanted.removeAll(dock);
            if (shown)
                m_wanted.append(dock);
            showGlass(shown);
        });
    }
    window.installEventFilter(this);
    m_rail->installEventFilter(this);
    for (QDockWidget* dock : m_glass)
        dock->installEventFilter(this);
}

bool AdaptiveLayout::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_window && event->type() == QEvent::Resize)
        followDrag();
    else if (watched == &m_window && (event->type() == QEvent::Resize || event->type() == QEvent::Show ||
                                      event->type() == QEvent::FontChange))
        adapt();
    return QObject::eventFilter(watched, event);
}

void AdaptiveLayout::adapt()
{
    const bool narrow = m_window.width() < kNarrowBelow * TypeScale::current();
    if (narrow == m_narrow)
        return narrow ? fitTab() : fitWide();
    if (narrow)
        enterNarrow();
    else
        leaveNarrow();
    emit narrowChanged(narrow);
}

/// The glass where it stands beside the chat, its docks below each other; else empty.
QList<QDockWidget*> AdaptiveLayout::column() const
{
    QList<QDockWidget*> docks;
    for (QDockWidget* dock : m_glass) {
        // A tab behind another lies outside, as wide as it was when it was in front.
        if (dock->isHidden() || dock->isFloating() || !m_window.rect().intersects(dock->geometry()))
            continue;
        const Qt::DockWidgetArea area = m_window.dockWidgetArea(dock);
        const bool isBeside = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
        if (!isBeside || (!docks.isEmpty() && docks.first()->width() != dock->width()))
            return {};
        docks << dock;
    }
    return docks;
}

/// A small window takes from the docks what they must have back in a larger one.
void AdaptiveLayout::fitWide()
{
    m_windowWidth = m_window.width();
    const QList<QDockWidget*> glass = column();
    if (m_widths.rail == 0 && m_window.isVisible())
        m_widths = {m_rail->width(), glass.isEmpty() ? 0 : glass.first()->width()};
    if (m_widths.rail == 0)
        return;
    QList<QDockWidget*> docks{m_rail};
    QList<int> widths{m_widths.rail};
    if (!glass.isEmpty() && m_widths.glass > 0) {
        docks << glass.first();
        widths << m_widths.glass;
    }
    if (std::ranges::equal(docks, widths, {}, &QWidget::width))
        return;
    m_window.resizeDocks(docks, widths, Qt::Horizontal);
    m_window.layout()->activate();
}

/// Where the window stays as wide and a button is down, it is somebody's wish.
void AdaptiveLayout::followDrag()
{
    if (m_narrow || m_window.width() != m_windowWidth || QGuiApplication::mouseButtons() == Qt::NoButton)
        return;
    m_widths.rail = m_rail->width();
    if (const QList<QDockWidget*> glass = column(); !glass.isEmpty())
        m_widths.glass = glass.first()->width();
}

void AdaptiveLayout::enterNarrow()
{
    m_wide = m_window.saveState();
    m_railWidth = std::max(m_rail->width(), kRailMin);
    m_wanted.clear();
    std::ranges::copy_if(m_glass, std::back_inserter(m_wanted),
                         [](const QDockWidget* dock) { return !dock->isHidden() && !dock->isFloating(); });
    m_narrow = true;
    m_sharesInTab = false;
    apply();
}

void AdaptiveLayout::leaveNarrow()
{
    m_narrow = false;
    m_window.centralWidget()->show();
    m_window.restoreState(m_wide);
    for (QDockWidget* dock : m_glass) {
        if (!dock->isFloating())
            dock->setVisible(m_wanted.contains(dock));
    }
    if (m_wide.isEmpty() || m_wide == m_default)
        giveDefaultSizes();
    fitWide();
}

void AdaptiveLayout::apply()
{
    if (!m_narrow)
        return;
    const bool glass = m_tabs->currentIndex() == GlassTab;
    for (QDockWidget* dock : m_glass) {
        if (!dock->isFloating())
            dock->setVisible(glass && m_wanted.contains(dock));
    }
    m_window.centralWidget()->setVisible(!glass);
    QList<QDockWidget*> docks{m_rail};
    QList<int> widths{m_railWidth};
    if (glass && !m_wanted.isEmpty()) {
        docks << m_wanted.first();
        widths << m_window.width() - m_railWidth;
    }
    m_window.resizeDocks(docks, widths, Qt::Horizontal);
    if (!glass)
        return;
    fitTab();
    shareHeight();
}

/// As in the wide layout at its first start, but by the height that there is now.
void AdaptiveLayout::fitTab()
{
    const bool low = isLow();
    if (!m_narrow || m_tabs->currentIndex() != GlassTab || low == m_sharesInTab)
        return;
    m_sharesInTab = low;
    QDockWidget* first = m_glass[m_glass.size() - 2];
    if (low)
        shareLowestPlace();
    else if (m_window.tabifiedDockWidgets(first).contains(m_glass.last()))
        m_window.addDockWidget(m_window.dockWidgetArea(first), m_glass.last(), Qt::Vertical);
    shareHeight();
}

bool AdaptiveLayout::isLow() const
{
    const int lines = m_narrow ? kLinesForThreeInTab : kLinesForThreeDocks;
    return m_window.height() < lines * m_window.fontMetrics().height();
}

void AdaptiveLayout::shareHeight()
{
    QList<int> heights;
    for (qsizetype i = 0; i < m_glass.size(); ++i)
        heights << static_cast<int>(m_window.height() * kDockShares[i % 3]);
    m_window.resizeDocks(m_glass, heights, Qt::Vertical);
}

void AdaptiveLayout::showGlass(bool glass)
{
    m_tabs->setCurrentIndex(glass ? GlassTab : ChatTab);
    apply();
}

void AdaptiveLayout::reset()
{
    m_wanted = m_glass;
    m_widths = {};
    if (m_narrow) {
        m_wide = m_default;
        showGlass(false);
        return;
    }
    m_window.restoreState(m_default);
    for (QDockWidget* dock : m_glass)
        dock->show();
    giveDefaultSizes();
}

void AdaptiveLayout::hideGlass()
{
    m_wanted.clear();
    for (QDockWidget* dock : m_glass)
        dock->hide();
}

QByteArray AdaptiveLayout::save() const
{
    QByteArray saved;
    QDataStream stream(&saved, QIODevice::WriteOnly);
    stream << kWithWidths << m_widths.rail << m_widths.glass << (m_narrow ? m_wide : m_window.saveState());
    return saved;
}

void AdaptiveLayout::restore(const QByteArray& saved)
{
    QDataStream stream(saved);
    quint32 kind = 0;
    Widths widths;
    QByteArray state;
    stream >> kind >> widths.rail >> widths.glass >> state;
    const bool hasWidths = kind == kWithWidths && stream.status() == QDataStream::Ok;
    m_widths = hasWidths
                   ? Widths{std::clamp(widths.rail, 0, kMostWidth), std::clamp(widths.glass, 0, kMostWidth)}
                   : Widths();
    if (!hasWidths)
        state = saved;
    if (m_narrow)
        m_wide = state;
    else if (state.isEmpty() || !m_window.restoreState(state))
        giveDefaultSizes();
    else
        fitWide();
}

/// The last two docks as tabs: each of three would be too low for its figures.
void AdaptiveLayout::shareLowestPlace()
{
    QDockWidget* first = m_glass[m_glass.size() - 2];
    m_window.tabifyDockWidget(first, m_glass.last());
    first->raise();
}

void AdaptiveLayout::giveDefaultSizes()
{
    if (isLow())
        shareLowestPlace();
    const int rail = std::clamp(m_window.width() * kRailPercent / 100, kRailMin, kRailMax);
    const int chat = columnWidth(m_window.fontMetrics(), kChatWidthInLetters);
    const int width =
        std::max(static_cast<int>(m_window.width() * kGlassShare), m_window.width() - rail - chat);
    m_widths = {rail, width};
    m_window.resizeDocks({m_rail, m_glass.first()}, {rail, width}, Qt::Horizontal);
    shareHeight();
}

} // namespace vitrine::ui
