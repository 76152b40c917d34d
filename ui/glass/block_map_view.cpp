// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_map_view.h"

#include "ui/glass/tool_tip.h"
#include "ui/models/glass_model.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace vitrine::ui {

BlockMapView::BlockMapView(GlassModel* glass, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_glass(glass)
    , m_model(*glass)
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Block map"));
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(glass, &GlassModel::poolReplaced, this, &BlockMapView::startAgain);
    connect(glass, &GlassModel::changed, this, &BlockMapView::onDrain);
    connect(&glass->directory(), &SequenceDirectory::changed, this, &BlockMapView::recolor);
    startAgain();
}

QSize BlockMapView::sizeHint() const
{
    return {360, 280};
}

void BlockMapView::startAgain()
{
    m_model.reset();
    m_current.reset();
    layOut();
}

void BlockMapView::onDrain()
{
    if (isVisible())
        return repaintCells(m_model.update());
    m_stale = true;
}

void BlockMapView::recolor()
{
    if (isVisible())
        repaintCells(m_model.recolor());
    else
        m_stale = true;
}

void BlockMapView::layOut()
{
    m_grid = BlockGrid(m_model.blockCount(), viewport()->size());
    m_painter = BlockPainter(glassColors(palette()), m_model.blockSize());
    verticalScrollBar()->setSingleStep(m_grid.cellSize());
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, m_grid.height() - viewport()->height()));
    repaintAll();
}

void BlockMapView::repaintAll()
{
    m_stale = !isVisible();
    if (m_stale || viewport()->size().isEmpty())
        return;
    m_picture = QPixmap(viewport()->size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(palette().color(QPalette::Base));
    QPainter painter(&m_picture);
    const int top = verticalScrollBar()->value();
    const auto [first, last] = m_grid.blocksIn(top, top + viewport()->height());
    for (int block = first; block < last; ++block)
        paintCell(painter, block);
    viewport()->update();
}

void BlockMapView::repaintCells(const std::vector<BlockId>& blocks)
{
    if (blocks.empty())
        return;
    if (m_stale || m_picture.isNull())
        return;
    QPainter painter(&m_picture);
    for (const BlockId block : blocks) {
        const QRect rect = viewRect(static_cast<int>(block.value));
        if (!rect.intersects(viewport()->rect()))
            continue;
        paintCell(painter, static_cast<int>(block.value));
        viewport()->update(rect);
    }
}

void BlockMapView::paintCell(QPainter& painter, int block)
{
    m_painter.paint(painter, viewRect(block), m_model.cell(BlockId{static_cast<std::uint32_t>(block)}));
    ++m_paintedCells;
}

void BlockMapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    painter.drawPixmap(0, 0, m_picture);
    if (!m_current || !hasFocus())
        return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRect(viewRect(static_cast<int>(m_current->value)).adjusted(-1, -1, 1, 1));
}

void BlockMapView::resizeEvent(QResizeEvent*)
{
    layOut();
}

void BlockMapView::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    if (!m_stale)
        return;
    (void)m_model.recolor(); // all is painted anyway
    repaintAll();
}

void BlockMapView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        layOut();
}

void BlockMapView::scrollContentsBy(int, int)
{
    repaintAll();
}

void BlockMapView::keyPressEvent(QKeyEvent* event)
{
    const int page = std::max(1, viewport()->height() / m_grid.cellSize()) * m_grid.columns();
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCurrent(-1);
    case Qt::Key_Right:
        return moveCurrent(1);
    case Qt::Key_Up:
        return moveCurrent(-m_grid.columns());
    case Qt::Key_Down:
        return moveCurrent(m_grid.columns());
    case Qt::Key_PageUp:
        return moveCurrent(-page);
    case Qt::Key_PageDown:
        return moveCurrent(page);
    case Qt::Key_Home:
        return moveCurrent(-m_grid.blocks());
    case Qt::Key_End:
        return moveCurrent(m_grid.blocks());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current)
            emit blockActivated(*m_current);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void BlockMapView::moveCurrent(int distance)
{
    if (m_grid.blocks() == 0)
        return;
    const int from = m_current ? static_cast<int>(m_current->value) : 0;
    const int to = m_current ? std::clamp(from + distance, 0, m_grid.blocks() - 1) : 0;
    setCurrentBlock(BlockId{static_cast<std::uint32_t>(to)});
    showDetails(*m_current, viewport()->mapToGlobal(viewRect(to).bottomRight()));
}

void BlockMapView::setCurrentBlock(BlockId block)
{
    m_current = block;
    const QRect cell = m_grid.cellRect(static_cast<int>(block.value));
    const int top = verticalScrollBar()->value();
    if (cell.top() < top)
        verticalScrollBar()->setValue(cell.top());
    else if (cell.bottom() >= top + viewport()->height())
        verticalScrollBar()->setValue(cell.bottom() + m_grid.gap() + 1 - viewport()->height());
    setAccessibleDescription(m_model.details(block).text());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    viewport()->update();
}

void BlockMapView::mousePressEvent(QMouseEvent* event)
{
    const auto block = blockAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || !block)
        return;
    setCurrentBlock(*block);
    emit blockActivated(*block);
}

void BlockMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_current && m_grid.blocks() > 0)
        setCurrentBlock(kNullBlock);
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
    if (const auto block = blockAt(help->pos()))
        showDetails(*block, help->globalPos());
    else
        QToolTip::hideText();
    return true;
}

void BlockMapView::showDetails(BlockId block, QPoint globalPoint)
{
    QToolTip::showText(globalPoint, plainToolTip(m_model.details(block).text()), viewport(),
                       viewRect(static_cast<int>(block.value)));
}

QRect BlockMapView::viewRect(int block) const
{
    return m_grid.cellRect(block).translated(0, -verticalScrollBar()->value());
}

std::optional<BlockId> BlockMapView::blockAt(QPoint viewPoint) const
{
    const int block = m_grid.blockAt(viewPoint + QPoint(0, verticalScrollBar()->value()));
    return block < 0 ? std::nullopt : std::optional(BlockId{static_cast<std::uint32_t>(block)});
}

} // namespace vitrine::ui
