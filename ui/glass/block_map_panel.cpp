// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_map_panel.h"

#include "ui/glass/block_legend.h"
#include "ui/glass/block_map_view.h"
#include "ui/glass/export_button.h"
#include "ui/glass/free_runs_view.h"
#include "ui/glass/legend.h"
#include "ui/glass/nested_bar.h"
#include "ui/glass/refresh_gate.h"
#include "ui/models/glass_model.h"
#include "ui/models/panel_tables.h"
#include "ui/models/percent.h"
#include "ui/models/pool_sentence.h"
#include "ui/theme/steady_label.h"
#include "ui/theme/steady_paragraph.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace vitrine::ui {

namespace {

QToolButton* makeButton(const QString& text, const QString& tip)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    return button;
}

} // namespace

BlockMapPanel::BlockMapPanel(GlassModel* glass, QWidget* parent)
    : QWidget(parent)
    , m_glass(glass)
{
    createWidgets();
    layOut();
    auto* gate = new RefreshGate(this, kChartInterval, [this] { refresh(); });
    connect(glass, &GlassModel::changed, gate, &RefreshGate::request);
    gate->request();
    showScale();
}

void BlockMapPanel::createWidgets()
{
    for (SteadyLabel*& label : m_summary) {
        label = new SteadyLabel;
        label->setToolTip(
            tr("<p><b>active</b>: blocks that some sequence holds, of all usable blocks "
               "(kv_cache_usage).<br><b>cached-free</b>: free blocks that keep a prefix.<br>"
               "<b>clean-free</b>: free blocks that keep nothing.<br><b>sharing</b>: lengths of all block "
               "tables / active blocks; above 1 memory is saved.</p>"));
    }
    m_bar = new NestedBar;
    m_sentence = new SteadyParagraph(tr("State of the pool"));
    m_warning = new QLabel;
    m_warning->setWordWrap(true);
    m_warning->setTextFormat(Qt::PlainText);
    m_warning->setAccessibleName(tr("Warning about what is shown"));
    m_warning->hide();
    m_view = new BlockMapView(m_glass);
    m_freeRuns = new FreeRunsView(m_glass);
    m_freeRuns->hide();
    m_legend = new QScrollArea;
    m_legend->setWidget(makeBlockLegend());
    m_legend->setWidgetResizable(true);
    m_legend->setFrameShape(QFrame::NoFrame);
    m_legend->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_legend->setAccessibleName(tr("Legend of the block map"));
    m_legend->hide();
    createTools();
}

void BlockMapPanel::createTools()
{
    m_order = new QComboBox;
    m_order->addItem(tr("by address"), static_cast<int>(BlockOrder::Address));
    m_order->addItem(tr("by sequence"), static_cast<int>(BlockOrder::Sequence));
    m_order->addItem(tr("by eviction"), static_cast<int>(BlockOrder::Eviction));
    m_order->setAccessibleName(tr("Order of the blocks"));
    m_order->setToolTip(
        tr("<p>Keys on the map:<br><b>A</b> by address: where each block lies<br><b>S</b> by "
           "sequence: each block table is a row<br><b>E</b> by eviction: the free queue, what is "
           "taken next first</p>"));
    connect(m_order, &QComboBox::activated, m_view, [this](int index) {
        m_view->setOrder(static_cast<BlockOrder>(m_order->itemData(index).toInt()));
    });
    connect(m_view, &BlockMapView::orderChanged, m_order, [this](BlockOrder order) {
        m_order->setCurrentIndex(m_order->findData(static_cast<int>(order)));
    });
    m_scale = new QLabel;
    m_scale->setToolTip(tr("Blocks that one cell stands for"));
    m_zoomOut = makeButton(QStringLiteral("−"), tr("Zoom out: more blocks in one cell (−, Ctrl+wheel)"));
    m_zoomIn = makeButton(QStringLiteral("+"), tr("Zoom in: fewer blocks in one cell (+, Ctrl+wheel)"));
    connect(m_zoomOut, &QToolButton::clicked, m_view, [this] { m_view->setZoom(m_view->zoom() - 1); });
    connect(m_zoomIn, &QToolButton::clicked, m_view, [this] { m_view->setZoom(m_view->zoom() + 1); });
    connect(m_view, &BlockMapView::scaleChanged, this, &BlockMapPanel::showScale);
    m_freeRunsButton =
        makeButton(tr("Free runs"), tr("How the free memory lies: free runs and fragmentation"));
    m_freeRunsButton->setCheckable(true);
    connect(m_freeRunsButton, &QToolButton::toggled, m_freeRuns, &QWidget::setVisible);
    m_legendButton = makeButton(tr("Legend"), tr("What the marks of the block map mean"));
    m_legendButton->setCheckable(true);
    connect(m_legendButton, &QToolButton::toggled, m_legend, &QWidget::setVisible);
}

QHBoxLayout* BlockMapPanel::toolRow()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_order);
    row->addWidget(m_zoomOut);
    row->addWidget(m_zoomIn);
    row->addWidget(m_scale);
    row->addStretch(1);
    row->addWidget(m_freeRunsButton);
    row->addWidget(m_legendButton);
    row->addWidget(
        new ExportButton(this, QStringLiteral("blocks"),
                         {{tr("&Blocks (CSV)…"), QString(), [this] { return blocksCsvLater(*m_glass); }}}));
    return row;
}

void BlockMapPanel::showScale()
{
    const BlockGrid& grid = m_view->grid();
    const QLocale locale;
    QStringList parts;
    if (m_view->order() == BlockOrder::Eviction &&
        m_glass->figures().freeBlocks() > BlockArrangement::kMostQueued)
        parts << tr("the first %1").arg(locale.toString(BlockArrangement::kMostQueued));
    if (grid.merge() > 1)
        parts << tr("%1 a cell").arg(locale.toString(grid.merge()));
    m_scale->setText(parts.join(QLatin1String(", ")));
    m_zoomOut->setEnabled(grid.zoom() > 0);
    m_zoomIn->setEnabled(grid.zoom() < grid.mostZoom());
}

void BlockMapPanel::layOut()
{
    auto* header = new QHBoxLayout;
    header->setSpacing(12);
    for (SteadyLabel* label : m_summary)
        header->addWidget(label);
    header->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(4);
    column->addLayout(header);
    column->addWidget(m_bar);
    column->addWidget(m_sentence);
    column->addWidget(m_warning);
    column->addLayout(toolRow());
    column->addWidget(m_freeRuns);
    column->addWidget(m_legend, 1);
    column->addWidget(m_view, 1);
}

void BlockMapPanel::refresh()
{
    const QStringList parts = summary();
    for (std::size_t i = 0; i < m_summary.size(); ++i)
        m_summary[i]->setFigures(parts[static_cast<qsizetype>(i)]);
    m_bar->setFigures(m_glass->figures());
    // No line ends between a number and its percent sign.
    m_sentence->setText(sentence().replace(QLatin1String(" %"), QStringLiteral("\u00A0%")));
    const QString warning = traceWarning(*m_glass);
    m_warning->setText(warning);
    m_warning->setVisible(!warning.isEmpty());
    if (!warning.isEmpty())
        setTextColor(*m_warning, glassColors(palette()).warning);
}

QStringList BlockMapPanel::summary() const
{
    const PoolFigures& figures = m_glass->figures();
    const auto shares = wholePercents(
        std::array<std::int64_t, 3>{figures.activeBlocks, figures.cachedBlocks, figures.cleanBlocks});
    return {tr("active %1 %").arg(shares[0]), tr("cached-free %1 %").arg(shares[1]),
            tr("clean-free %1 %").arg(shares[2]),
            tr("sharing %1").arg(QLocale().toString(figures.sharingRatio(), 'f', 2))};
}

QString BlockMapPanel::sentence() const
{
    return poolSentence(*m_glass);
}

void BlockMapPanel::setFreeRunsShown(bool shown)
{
    m_freeRunsButton->setChecked(shown);
}

void BlockMapPanel::setLegendShown(bool shown)
{
    m_legendButton->setChecked(shown);
}

} // namespace vitrine::ui
