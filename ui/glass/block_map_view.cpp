// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_map_view.h"

#include "ui/models/glass_model.h"
#include "ui/models/pool_mirror.h"
#include "ui/theme/draw_title.h"
#include "ui/theme/motion.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr int kLabelGap = 8;
constexpr int kSwatch = 8;
constexpr int kWidestLabel = 150;
constexpr std::uint64_t kMovedSteps = 16; ///< a cursor that goes further has jumped

/// The outermost `width` pixels of a rectangle on one side.
QRect edgeOf(const QRect& rect, QPoint side, int width)
{
    if (side.x() != 0)
        return {side.x() < 0 ? rect.left() : rect.right() - width + 1, rect.top(), width, rect.height()};
    return {rect.left(), side.y() < 0 ? rect.top() : rect.bottom() - width + 1, rect.width(), width};
}

/// What belongs to a cell is painted no further from it.
QRect aroundCell(const QRect& cell)
{
    return cell.adjusted(-2, -2, 2, 2);
}

bool standsBefore(const QRect& a, const QRect& b)
{
    return std::pair(a.top(), a.left()) < std::pair(b.top(), b.left());
}

} // namespace

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
    connect(glass, &GlassModel::labelsChanged, this, &BlockMapView::recolor);
    connect(&glass->selection(), &GlassSelection::changed, this, &BlockMapView::recolor);
    const auto followMotion = [this] { setMotion(!Motion::shared().isReduced()); };
    connect(&Motion::shared(), &Motion::changed, this, followMotion);
    followMotion();
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
    takeChanges({});
}

void BlockMapView::onDrain()
{
    // Following goes on, and so does a cursor that goes on by some steps.
    const auto before = std::exchange(m_cursor, m_glass->cursor());
    m_jumped = before.has_value() != m_cursor.has_value() ||
               (before && (*m_cursor < *before || *m_cursor - *before > kMovedSteps));
    if (isVisible())
        return takeChanges(m_model.update());
    m_stale = true;
}

void BlockMapView::recolor()
{
    if (isVisible())
        takeChanges(m_model.recolor());
    else
        m_stale = true;
}

/// What is left of a large pool follows, slice by slice.
void BlockMapView::takeChanges(const std::vector<BlockId>& changed)
{
    redraw(changed);
    if (m_model.isBehind())
        m_lookTimer.start(0, this);
    else
        m_lookTimer.stop();
}

void BlockMapView::setOrder(BlockOrder order)
{
    if (order == m_order)
        return;
    m_order = order;
    layOut();
    if (const int cell = currentCell(); cell >= 0)
        scrollTo(cell);
    emit orderChanged(order);
}

void BlockMapView::setZoom(int zoom)
{
    zoom = std::clamp(zoom, 0, m_grid.mostZoom());
    if (zoom == m_zoom)
        return;
    m_zoom = zoom;
    layOut();
}

bool BlockMapView::arrange()
{
    const std::vector<BlockLane> before = m_arrangement.lanes();
    m_arrangement.update(m_glass->pool(), m_order);
    return before != m_arrangement.lanes();
}

QSize BlockMapView::labelSize() const
{
    if (m_order != BlockOrder::Sequence)
        return {};
    return {std::min(viewport()->width() / 3, kWidestLabel) + kLabelGap, fontMetrics().height()};
}

BlockGrid BlockMapView::makeGrid() const
{
    return BlockGrid(m_arrangement.lanes(), viewport()->size(), labelSize(), m_zoom);
}

void BlockMapView::layOut()
{
    arrange();
    m_grid = makeGrid();
    m_painter = BlockPainter(glassColors(palette()), m_model.blockSize());
    verticalScrollBar()->setSingleStep(m_grid.cellSize());
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, m_grid.height() - viewport()->height()));
    repaintAll();
    emit scaleChanged();
}

void BlockMapView::redraw(const std::vector<BlockId>& changed)
{
    if (m_stale || m_picture.isNull())
        return;
    if (m_order == BlockOrder::Address)
        return repaintBlocks(changed);
    if (!arrange())
        return repaintVisible();
    const BlockGrid grid = makeGrid();
    const bool sameScale = grid.cellSize() == m_grid.cellSize() && grid.columns() == m_grid.columns() &&
                           grid.merge() == m_grid.merge() && grid.height() <= viewport()->height() &&
                           m_grid.height() <= viewport()->height();
    if (!sameScale)
        return layOut();
    m_grid = grid;
    repaintVisible();
}

void BlockMapView::repaintAll()
{
    m_motion.clear(); // cells stand elsewhere now
    if (!isVisible()) {
        m_stale = true;
        return;
    }
    if (std::exchange(m_stale,
                      false)) { // whatever comes first when the map is shown again: resize, scroll, show
        layOut();
        return takeChanges(m_model.recolor());
    }
    if (viewport()->size().isEmpty())
        return;
    m_picture = QPixmap(viewport()->size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(palette().color(QPalette::Base));
    m_painted = visibleLooks();
    QPainter painter(&m_picture);
    for (const Painted& cell : m_painted)
        paintCell(painter, cell);
    paintLabels(painter);
    viewport()->update();
}

/// By address: the cells of these blocks, as far as they are to be seen. The viewport is told one rectangle:
/// through many, Qt paints span by span, and spreads these over threads for which the engine has no core
/// left.
void BlockMapView::repaintBlocks(const std::vector<BlockId>& blocks)
{
    if (blocks.empty())
        return;
    QPainter painter(&m_picture);
    QRect touched;
    const auto repaint = [&](int cell) {
        const int index = cell - m_firstPainted;
        if (index < 0 || index >= std::ssize(m_painted))
            return;
        Painted& painted = m_painted[static_cast<std::size_t>(index)];
        const Look look = lookOf(cell);
        startMotion(painted, look);
        painted.look = look;
        paintCell(painter, painted);
        touched |= aroundCell(painted.rect);
    };
    std::vector<int> cells;
    for (const BlockId block : blocks)
        cells.push_back(static_cast<int>(block.value) / m_grid.merge());
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    std::ranges::for_each(cells, repaint);
    viewport()->update(touched);
}

/// In the orders in which blocks move: what does not look as it was painted. What is gone is wiped first, as
/// other cells may stand across its place.
void BlockMapView::repaintVisible()
{
    QPainter painter(&m_picture);
    const std::vector<Painted> before = std::exchange(m_painted, visibleLooks());
    QRect touched(0, 0, labelSize().width(), viewport()->height());
    const auto touch = [&touched](const Painted& cell) { touched |= aroundCell(cell.rect); };
    const auto wipe = [&](const Painted& cell) {
        painter.fillRect(cell.rect, palette().color(QPalette::Base));
        touch(cell);
    };
    std::vector<const Painted*> changed;
    auto old = before.begin();
    for (const Painted& cell : m_painted) {
        for (; old != before.end() && standsBefore(old->rect, cell.rect); ++old)
            wipe(*old);
        const bool isThere = old != before.end() && old->rect == cell.rect;
        if (!isThere || old->look != cell.look)
            changed.push_back(&cell);
        old += isThere ? 1 : 0;
    }
    std::for_each(old, before.end(), wipe);
    for (const Painted* cell : changed) {
        paintCell(painter, *cell);
        touch(*cell);
    }
    paintLabels(painter);
    viewport()->update(touched);
}

void BlockMapView::setMotion(bool motion)
{
    m_moves = motion;
    if (!motion)
        m_motion.clear();
}

/// Not in the colour of the contours: these mean the chosen chat.
void BlockMapView::startMotion(const Painted& before, const Look& after)
{
    if (!m_moves || m_jumped || m_grid.merge() > 1)
        return;
    const BlockCell& old = before.look.cell;
    const GlassColors colors = glassColors(palette());
    using Kind = BlockMotion::Kind;
    if (old.hashed && !after.cell.hashed)
        m_motion.add(before.rect, Kind::Evicted, sequenceColor(old.colorSlot, colors.shade));
    else if (old.kind != BlockKind::Active && after.cell.kind == BlockKind::Active)
        m_motion.add(before.rect, Kind::Taken, colors.mark);
    else if (!old.hashed && after.cell.hashed)
        m_motion.add(before.rect, Kind::Published, colors.mark);
    if (m_motion.isRunning() && !m_motionTimer.isActive())
        m_motionTimer.start(static_cast<int>(kFramePace.count()), this);
}

void BlockMapView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_lookTimer.timerId())
        return takeChanges(m_model.lookOn());
    if (event->timerId() != m_motionTimer.timerId())
        return QAbstractScrollArea::timerEvent(event);
    viewport()->update(m_motion.advance());
    if (!m_motion.isRunning())
        m_motionTimer.stop();
}

void BlockMapView::paintCell(QPainter& painter, const Painted& cell)
{
    if (m_grid.merge() == 1)
        m_painter.paint(painter, cell.rect, cell.look.cell);
    else
        m_painter.paint(painter, cell.rect, cell.look.mix);
    ++m_paintedCells;
}

/// Whose table it is: the chat's colour and title.
void BlockMapView::paintLabels(QPainter& painter) const
{
    if (m_order != BlockOrder::Sequence)
        return;
    const GlassColors colors = glassColors(palette());
    const int top = verticalScrollBar()->value();
    const auto [first, end] = m_grid.lanesIn(top, top + viewport()->height());
    painter.fillRect(0, 0, labelSize().width() - 1, viewport()->height(), colors.background);
    painter.setPen(colors.text);
    for (int lane = first; lane < end; ++lane) {
        const SequenceId sequence = m_arrangement.lanes()[static_cast<std::size_t>(lane)].sequence;
        const ChatLabel label = m_glass->directory().label(sequence);
        QFont type = font();
        type.setBold(m_glass->selection().includes(sequence));
        painter.setFont(type);
        const QRect rect = m_grid.labelRect(lane).translated(0, -top).adjusted(0, 0, -kLabelGap, 0);
        painter.fillRect(QRect(rect.left(), rect.center().y() - kSwatch / 2, kSwatch, kSwatch),
                         sequenceBrush(label.colorSlot, colors.shade, colors.background));
        const QRect text = rect.adjusted(kSwatch + 4, 0, 0, 0);
        drawTitle(painter, text, label.title);
    }
}

std::vector<BlockId> BlockMapView::blocksOf(int cell) const
{
    auto [place, count] = m_grid.blocksOf(cell);
    std::vector<BlockId> blocks;
    blocks.reserve(static_cast<std::size_t>(count));
    for (; count > 0; --count, ++place.index)
        blocks.push_back(m_arrangement.block(m_glass->pool(), place));
    return blocks;
}

BlockMapView::Look BlockMapView::lookOf(int cell) const
{
    if (m_grid.merge() == 1)
        return {m_model.cell(m_arrangement.block(m_glass->pool(), m_grid.blocksOf(cell).first)), {}};
    return {{}, m_model.mix(blocksOf(cell))};
}

std::pair<int, int> BlockMapView::visibleCells() const
{
    const int top = verticalScrollBar()->value();
    return m_grid.cellsIn(top, top + viewport()->height());
}

std::vector<BlockMapView::Painted> BlockMapView::visibleLooks()
{
    const auto [first, end] = visibleCells();
    m_firstPainted = first;
    std::vector<Painted> cells;
    cells.reserve(static_cast<std::size_t>(end - first));
    for (int cell = first; cell < end; ++cell)
        cells.push_back({viewRect(cell), lookOf(cell)});
    return cells;
}

void BlockMapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    painter.drawPixmap(0, 0, m_picture);
    paintOverlay(painter, event->region());
    m_motion.paint(painter);
    const int current = currentCell();
    if (current < 0 || !hasFocus())
        return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRect(viewRect(current).adjusted(-1, -1, 1, 1));
}

/// What stands out: the blocks of the chat in the rail, and those that hold what somebody points at.
void BlockMapView::paintOverlay(QPainter& painter, const QRegion& region) const
{
    const QRect area = region.boundingRect().adjusted(-3, -3, 3, 3);
    for (int index = 0; index < std::ssize(m_painted); ++index) {
        const Painted& cell = m_painted[static_cast<std::size_t>(index)];
        if (!area.intersects(cell.rect))
            continue;
        if (isChosen(m_firstPainted + index))
            paintContour(painter, m_firstPainted + index);
        if (cell.look.cell.marked || cell.look.mix.marked)
            m_painter.paintMark(painter, cell.rect);
    }
}

bool BlockMapView::isChosen(int cell) const
{
    const int index = cell - m_firstPainted;
    if (m_order == BlockOrder::Sequence || index < 0 || index >= std::ssize(m_painted))
        return false;
    const Look& look = m_painted[static_cast<std::size_t>(index)].look;
    return look.cell.chosen || look.mix.chosen;
}

/// On those sides where other chats' blocks begin: a dark line in the gap, and a light one inside that sets
/// it apart from borders.
void BlockMapView::paintContour(QPainter& painter, int cell) const
{
    const int gap = m_grid.gap();
    const int columns = m_grid.columns();
    const QRect inner = viewRect(cell);
    const QRect outer = inner.adjusted(-gap, -gap, gap, gap);
    const std::array<std::pair<bool, QPoint>, 4> sides{{
        {cell % columns == 0 || !isChosen(cell - 1), {-1, 0}},
        {cell % columns == columns - 1 || !isChosen(cell + 1), {1, 0}},
        {!isChosen(cell - columns), {0, -1}},
        {!isChosen(cell + columns), {0, 1}},
    }};
    for (const auto& [isEdge, side] : sides)
        if (isEdge)
            painter.fillRect(edgeOf(inner, side, 1), palette().color(QPalette::Base));
    for (const auto& [isEdge, side] : sides)
        if (isEdge)
            painter.fillRect(edgeOf(outer, side, gap), palette().color(QPalette::Text));
}

void BlockMapView::resizeEvent(QResizeEvent*)
{
    layOut();
}

void BlockMapView::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    if (m_stale)
        repaintAll();
}

void BlockMapView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOut();
}

void BlockMapView::scrollContentsBy(int, int)
{
    repaintAll();
}

QRect BlockMapView::viewRect(int cell) const
{
    return m_grid.cellRect(cell).translated(0, -verticalScrollBar()->value());
}

} // namespace vitrine::ui
