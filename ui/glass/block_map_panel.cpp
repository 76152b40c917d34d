// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_map_panel.h"

#include "ui/glass/block_map_view.h"
#include "ui/glass/legend.h"
#include "ui/glass/nested_bar.h"
#include "ui/glass/refresh_gate.h"
#include "ui/models/glass_model.h"
#include "ui/models/pool_sentence.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr int kSampleSide = 16;
constexpr int kSampleSlots = 16;

Legend::PaintSample sample(const BlockCell& cell)
{
    return [cell](QPainter& painter, const QRect& rect, const GlassColors& colors) {
        BlockPainter(colors, kSampleSlots).paint(painter, rect, cell);
    };
}

Legend* makeBlockLegend()
{
    auto* legend = new Legend(BlockMapPanel::tr("Legend of the block map"), {kSampleSide, kSampleSide});
    const auto add = [legend](const BlockCell& cell, const QString& word, const QString& meaning) {
        legend->add(sample(cell), word, meaning);
    };
    using K = BlockKind;
    add({.kind = K::Clean}, BlockMapPanel::tr("free"), BlockMapPanel::tr("nothing is kept in it"));
    add({.kind = K::Active, .colorSlot = 0, .filled = 6}, BlockMapPanel::tr("active"),
        BlockMapPanel::tr("in use by the chat of this colour, filled from below; the rest waits for tokens"));
    add({.kind = K::Active, .hashed = true, .colorSlot = 0, .filled = kSampleSlots},
        BlockMapPanel::tr("hashed"),
        BlockMapPanel::tr("a border: full, and a later prompt that begins alike may share it"));
    add({.kind = K::Active, .hashed = true, .shared = true, .colorSlot = 0, .filled = kSampleSlots},
        BlockMapPanel::tr("shared"), BlockMapPanel::tr("a corner dot: several sequences read it"));
    add({.kind = K::Cached, .hashed = true, .colorSlot = 0, .filled = kSampleSlots},
        BlockMapPanel::tr("cached"),
        BlockMapPanel::tr("free, but its prefix is kept; the paler, the sooner it is taken"));
    add({.kind = K::Active, .colorSlot = 8, .filled = kSampleSlots}, BlockMapPanel::tr("texture"),
        BlockMapPanel::tr("from the ninth chat on colours come again, with a texture"));
    add({.kind = K::Null}, BlockMapPanel::tr("null block"),
        BlockMapPanel::tr("block 0, never handed out: it stands where no memory is needed"));
    return legend;
}

} // namespace

BlockMapPanel::BlockMapPanel(GlassModel* glass, QWidget* parent)
    : QWidget(parent)
    , m_glass(glass)
{
    createWidgets();
    layOut();
    m_gate = new RefreshGate(this, kChartInterval, [this] { refresh(); });
    connect(glass, &GlassModel::changed, m_gate, &RefreshGate::request);
    m_gate->request();
}

void BlockMapPanel::createWidgets()
{
    for (QLabel*& label : m_summary) {
        label = new QLabel;
        label->setToolTip(tr("<p><b>active</b>: blocks that some sequence holds, of all usable blocks "
                             "(kv_cache_usage).<br><b>cached</b>: free blocks that keep a prefix.<br>"
                             "<b>free</b>: free and clean.<br><b>sharing</b>: lengths of all block tables / "
                             "active blocks; above 1 memory is saved.</p>"));
    }
    m_bar = new NestedBar;
    m_sentence = new QLabel;
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setAccessibleName(tr("State of the pool"));
    m_warning = new QLabel;
    m_warning->setWordWrap(true);
    m_warning->setTextFormat(Qt::PlainText);
    m_warning->setAccessibleName(tr("Warning about what is shown"));
    m_warning->hide();
    m_view = new BlockMapView(m_glass);
    m_legend = makeBlockLegend();
    m_legend->hide();
    m_legendButton = new QToolButton;
    m_legendButton->setText(tr("Legend"));
    m_legendButton->setToolTip(tr("What the marks of the block map mean"));
    m_legendButton->setAccessibleName(tr("Legend of the block map"));
    m_legendButton->setCheckable(true);
    m_legendButton->setAutoRaise(true);
    connect(m_legendButton, &QToolButton::toggled, m_legend, &QWidget::setVisible);
}

void BlockMapPanel::layOut()
{
    auto* header = new QHBoxLayout;
    header->setSpacing(12);
    for (QLabel* label : m_summary)
        header->addWidget(label);
    header->addStretch(1);
    header->addWidget(m_legendButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(4);
    column->addLayout(header);
    column->addWidget(m_bar);
    column->addWidget(m_sentence);
    column->addWidget(m_warning);
    column->addWidget(m_legend);
    column->addWidget(m_view, 1);
}

void BlockMapPanel::refresh()
{
    const QStringList parts = summary();
    for (std::size_t i = 0; i < m_summary.size(); ++i) {
        m_summary[i]->setText(parts[static_cast<qsizetype>(i)]);
        // Wide enough for the widest so far: what stands to the right does not move.
        m_summary[i]->setMinimumWidth(
            std::max(m_summary[i]->minimumWidth(), m_summary[i]->sizeHint().width()));
    }
    m_bar->setFigures(m_glass->figures());
    m_sentence->setText(sentence());
    const QString warning = traceWarning(*m_glass);
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, glassColors(palette()).warning);
    m_warning->setPalette(colors);
    m_warning->setText(warning);
    m_warning->setVisible(!warning.isEmpty());
}

QStringList BlockMapPanel::summary() const
{
    const PoolFigures& figures = m_glass->figures();
    const auto percent = [&figures](int blocks) {
        return wholePercent(double(blocks) / std::max(1, figures.usableBlocks));
    };
    return {tr("active %1 %").arg(percent(figures.activeBlocks)),
            tr("cached %1 %").arg(percent(figures.cachedBlocks)),
            tr("free %1 %").arg(percent(figures.cleanBlocks)),
            tr("sharing %1").arg(QLocale().toString(figures.sharingRatio(), 'f', 2))};
}

QString BlockMapPanel::sentence() const
{
    return poolSentence(*m_glass);
}

void BlockMapPanel::setLegendShown(bool shown)
{
    m_legendButton->setChecked(shown);
}

} // namespace vitrine::ui
