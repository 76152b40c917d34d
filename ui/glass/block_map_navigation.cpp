// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard, mouse and what is told of a block; block_map_view.cpp paints.
#include "engine/report.h"
#include "ui/glass/block_map_view.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/glass_model.h"
#include "ui/models/pool_mirror.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace vitrine::ui {

namespace {

/// A tooltip breaks no lines by itself: at a space after so many characters, or in the middle of a long word.
QString wrapped(const QString& text)
{
    constexpr int kColumn = 56;
    QString lines;
    int column = 0;
    for (const QChar character : text) {
        const bool full = column >= kColumn && (character.isSpace() || column >= kColumn + 16);
        if (full && !character.isLowSurrogate()) {
            lines += QLatin1Char('\n');
            column = 0;
            if (character.isSpace())
                continue;
        }
        lines += character;
        column = character == QLatin1Char('\n') ? 0 : column + 1;
    }
    return lines;
}

} // namespace

void BlockMapView::keyPressEvent(QKeyEvent* event)
{
    if (!handleMove(event->key()) && !handleCommand(event->key()))
        QAbstractScrollArea::keyPressEvent(event);
}

bool BlockMapView::handleMove(int key)
{
    const int cell = std::max(0, currentCell());
    const int page = std::max(1, viewport()->height() / m_grid.cellSize());
    switch (key) {
    case Qt::Key_Left:
        return goTo(cell - 1);
    case Qt::Key_Right:
        return goTo(cell + 1);
    case Qt::Key_Up:
        return goTo(m_grid.cellBelow(cell, -1));
    case Qt::Key_Down:
        return goTo(m_grid.cellBelow(cell, 1));
    case Qt::Key_PageUp:
        return goTo(m_grid.cellBelow(cell, -page));
    case Qt::Key_PageDown:
        return goTo(m_grid.cellBelow(cell, page));
    case Qt::Key_Home:
        return goTo(0);
    case Qt::Key_End:
        return goTo(m_grid.cells() - 1);
    default:
        return false;
    }
}

bool BlockMapView::handleCommand(int key)
{
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activate();
        return true;
    case Qt::Key_A:
        setOrder(BlockOrder::Address);
        return true;
    case Qt::Key_S:
        setOrder(BlockOrder::Sequence);
        return true;
    case Qt::Key_E:
        setOrder(BlockOrder::Eviction);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(1, viewport()->rect().center());
        return true;
    case Qt::Key_Minus:
        zoomBy(-1, viewport()->rect().center());
        return true;
    case Qt::Key_0:
        setZoom(0);
        return true;
    default:
        return false;
    }
}

std::optional<BlockId> BlockMapView::currentBlock() const
{
    return m_current ? std::optional(m_current->block) : std::nullopt;
}

int BlockMapView::currentCell() const
{
    if (!m_current)
        return -1;
    const auto place =
        m_arrangement.find(m_glass->pool(), m_current->block, m_current->sequence, m_current->index);
    return place ? m_grid.cellOf(*place) : -1;
}

/// The nearest cell there is; its details are shown beside it.
bool BlockMapView::goTo(int cell)
{
    if (m_grid.cells() == 0)
        return true;
    moveTo(currentCell() < 0 ? 0 : std::clamp(cell, 0, m_grid.cells() - 1));
    const int reached = currentCell();
    if (reached >= 0)
        showDetails(reached, viewport()->mapToGlobal(viewRect(reached).bottomRight()));
    return true;
}

void BlockMapView::moveTo(int cell)
{
    const BlockPlace place = m_grid.blocksOf(cell).first;
    m_current = Current{m_arrangement.block(m_glass->pool(), place),
                        m_arrangement.lanes()[static_cast<std::size_t>(place.lane)].sequence, place.index};
    scrollTo(cell);
    describe(cell);
}

void BlockMapView::setCurrentBlock(BlockId block)
{
    m_current = Current{block, {}, 0};
    const int cell = currentCell();
    if (cell >= 0)
        scrollTo(cell);
    describe(cell);
}

void BlockMapView::scrollTo(int cell)
{
    const int around = m_grid.gap() + BlockGrid::kMargin;
    const QRect rect = m_grid.cellRect(cell).adjusted(0, -around, 0, around);
    const int top = verticalScrollBar()->value();
    if (rect.top() < top)
        verticalScrollBar()->setValue(rect.top());
    else if (rect.bottom() >= top + viewport()->height())
        verticalScrollBar()->setValue(rect.bottom() + 1 - viewport()->height());
}

void BlockMapView::describe(int cell)
{
    setAccessibleDescription(cell < 0 ? m_model.details(m_current->block).text() : detailsOf(cell));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    viewport()->update();
}

void BlockMapView::activate()
{
    if (m_current)
        emit blockActivated(m_current->block);
}

void BlockMapView::mousePressEvent(QMouseEvent* event)
{
    const int cell = cellAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || cell < 0)
        return;
    moveTo(cell);
    activate();
}

void BlockMapView::wheelEvent(QWheelEvent* event)
{
    if ((event->modifiers() & Qt::ControlModifier) == 0)
        return QAbstractScrollArea::wheelEvent(event);
    if (event->angleDelta().y() != 0)
        zoomBy(event->angleDelta().y() > 0 ? 1 : -1, event->position().toPoint());
    event->accept();
}

/// What is under the pointer stays there.
void BlockMapView::zoomBy(int levels, QPoint viewPoint)
{
    const int before = cellAt(viewPoint);
    const BlockPlace place = before < 0 ? BlockPlace{} : m_grid.blocksOf(before).first;
    setZoom(m_grid.zoom() + levels);
    if (before >= 0)
        verticalScrollBar()->setValue(m_grid.cellRect(m_grid.cellOf(place)).center().y() - viewPoint.y());
}

void BlockMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_current && m_grid.cells() > 0)
        moveTo(0);
    viewport()->update();
}

void BlockMapView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool BlockMapView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const int cell = cellAt(help->pos()); cell >= 0)
        showDetails(cell, help->globalPos());
    else
        QToolTip::hideText();
    return true;
}

QString BlockMapView::detailsOf(int cell) const
{
    const std::vector<BlockId> blocks = blocksOf(cell);
    QString text = blocks.size() == 1 ? m_model.details(blocks.front()).text()
                                      : m_model.details(blocks, m_order == BlockOrder::Address).text();
    if (const QString words = blocks.size() == 1 ? textOf(blocks.front()) : QString(); !words.isEmpty())
        text += QLatin1Char('\n') + words;
    if (m_order == BlockOrder::Eviction) {
        const int rank = m_grid.blocksOf(cell).first.index;
        text += QLatin1Char('\n') +
                (rank == 0 ? tr("taken next") : tr("taken after %Ln other(s)", nullptr, rank));
    }
    return text;
}

void BlockMapView::showDetails(int cell, QPoint globalPoint)
{
    m_tipCell = cell;
    m_tipPoint = globalPoint;
    showTip();
    const std::vector<BlockId> blocks = blocksOf(cell);
    if (blocks.size() == 1 && !isPast() && m_model.cell(blocks.front()).filled > 0 &&
        !hasText(blocks.front()))
        emit textWanted(blocks.front());
}

void BlockMapView::showTip()
{
    QToolTip::showText(m_tipPoint, plainToolTip(detailsOf(m_tipCell)), viewport(), viewRect(m_tipCell));
}

void BlockMapView::setBlockText(const std::shared_ptr<const BlockText>& content)
{
    m_text = content;
    if (m_tipCell >= 0 && m_tipCell < m_grid.cells() && blocksOf(m_tipCell) == std::vector{content->block} &&
        QToolTip::isVisible())
        showTip();
    if (m_current && m_current->block == content->block)
        describe(currentCell());
}

/// Not what the engine holds now: it cannot be asked.
bool BlockMapView::isPast() const
{
    return m_glass->cursor() || m_glass->isReplay();
}

/// Whether what the engine told is still so: nothing happened to the block since.
bool BlockMapView::hasText(BlockId block) const
{
    const PoolMirror& pool = m_glass->pool();
    return m_text && m_text->block == block && m_text->generation == pool.generation() &&
           pool.lastStep(block) <= m_text->step;
}

QString BlockMapView::textOf(BlockId block) const
{
    if (m_model.cell(block).filled == 0)
        return {};
    if (isPast())
        return tr("Its text is kept for the newest step only.");
    if (!hasText(block) || m_text->tokens.empty())
        return {};
    constexpr int kMostCharacters = 400;
    QString text = QString::fromStdString(m_text->text);
    if (text.size() > kMostCharacters)
        text = text.left(kMostCharacters) + QChar(0x2026);
    return wrapped(tr("Text: “%1”").arg(text));
}

int BlockMapView::cellAt(QPoint viewPoint) const
{
    return m_grid.cellAt(viewPoint + QPoint(0, verticalScrollBar()->value()));
}

} // namespace vitrine::ui
