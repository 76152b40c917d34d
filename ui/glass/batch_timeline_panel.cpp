// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/batch_timeline_panel.h"

#include "ui/glass/batch_timeline_view.h"
#include "ui/glass/export_button.h"
#include "ui/glass/legend.h"
#include "ui/glass/refresh_gate.h"
#include "ui/glass/timeline_canvas.h"
#include "ui/glass/timeline_links.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/models/panel_tables.h"
#include "ui/models/percent.h"
#include "ui/models/step_sentence.h"
#include "ui/theme/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr QSize kSampleSize{28, 18};
constexpr double kZoomFactor = 1.6;
constexpr int kEventLines = 2;

Legend::PaintSample cellSample(const BatchCell& cell, int steps)
{
    return [cell, steps](QPainter& painter, const QRect& rect, const GlassColors& colors) {
        TimelinePainter(colors).paintCell(painter, rect, cell, 0, steps);
    };
}

Legend::PaintSample endSample(EndReason reason)
{
    return [reason](QPainter& painter, const QRect& rect, const GlassColors& colors) {
        TimelinePainter(colors).paintEnd(painter, QRect(rect.center() - QPoint(3, 3), QSize(7, 7)), reason);
    };
}

Legend::PaintSample preemptionSample()
{
    return [](QPainter& painter, const QRect& rect, const GlassColors& colors) {
        TimelinePainter(colors).paintPreemption(painter, QRect(rect.center() - QPoint(3, 3), QSize(7, 7)));
    };
}

Legend::PaintSample linkSample()
{
    return [](QPainter& painter, const QRect& rect, const GlassColors& colors) {
        PreemptionLink link;
        link.takenBy = SequenceId{1};
        link.from = rect.topLeft() + QPoint(4, 4);
        link.takenAtY = rect.bottom() - 3;
        link.backAtX = rect.right() - 4;
        paintPreemptionLinks(painter, {link}, colors);
    };
}

Legend* makeTimelineLegend()
{
    using Phase = SequencePhase;
    auto* legend = new Legend(BatchTimelinePanel::tr("Legend of the batch timeline"), kSampleSize);
    legend->add(cellSample({.phase = Phase::Prefill, .tokens = 400}, 1), BatchTimelinePanel::tr("prefill"),
                BatchTimelinePanel::tr("a chunk of the prompt is computed; higher is more tokens"));
    legend->add(cellSample({.phase = Phase::Prefill, .tokens = 40, .cached = 400}, 1),
                BatchTimelinePanel::tr("cached prefix"),
                BatchTimelinePanel::tr("outlined: found in the prefix cache, not computed"));
    legend->add(cellSample({.phase = Phase::Decode, .tokens = 1}, 4), BatchTimelinePanel::tr("decode"),
                BatchTimelinePanel::tr("one token a step"));
    legend->add(cellSample({.phase = Phase::Recompute, .tokens = 300}, 1),
                BatchTimelinePanel::tr("recompute"),
                BatchTimelinePanel::tr("hatched: computed again, was thrown out"));
    legend->add(cellSample({.phase = Phase::Waiting}, 1), BatchTimelinePanel::tr("waiting"),
                BatchTimelinePanel::tr("hollow: not in the batch; point at it to see why"));
    legend->add(cellSample({.phase = Phase::Preempted}, 1), BatchTimelinePanel::tr("thrown out"),
                BatchTimelinePanel::tr("striped: preempted, to be computed again"));
    legend->add(cellSample({.phase = Phase::Padding}, 1), BatchTimelinePanel::tr("padding"),
                BatchTimelinePanel::tr("crossed: ended, but its row is still computed (static batching)"));
    legend->add(preemptionSample(), BatchTimelinePanel::tr("thrown out (preempted)"),
                BatchTimelinePanel::tr("its blocks were taken back at this step"));
    legend->add(linkSample(), BatchTimelinePanel::tr("and then"),
                BatchTimelinePanel::tr("down or up to who got its blocks, and along to where it is back"));
    legend->add(endSample(EndReason::Stop), BatchTimelinePanel::tr("finished"),
                BatchTimelinePanel::tr("the answer ended by itself"));
    legend->add(endSample(EndReason::Length), BatchTimelinePanel::tr("length"),
                BatchTimelinePanel::tr("the answer reached its greatest length"));
    legend->add(endSample(EndReason::Aborted), BatchTimelinePanel::tr("cancelled"),
                BatchTimelinePanel::tr("somebody pressed stop"));
    legend->add(
        [](QPainter& painter, const QRect& rect, const GlassColors& colors) {
            TimelineCanvas::paintHolderDot(painter, QRect(rect.center() - QPoint(3, 3), QSize(7, 7)), colors);
        },
        BatchTimelinePanel::tr("dot beside a name"),
        BatchTimelinePanel::tr("holds a block marked in the map"));
    return legend;
}

} // namespace

BatchTimelinePanel::BatchTimelinePanel(GlassModel* glass, QWidget* parent)
    : QWidget(parent)
    , m_glass(glass)
{
    createWidgets();
    layOut();
    auto* gate = new RefreshGate(this, kChartInterval, [this] { refresh(); }); // with the strips below
    connect(glass, &GlassModel::changed, gate, &RefreshGate::request);
    connect(glass, &GlassModel::cursorChanged, gate, &RefreshGate::requestNow);
    gate->request();
    connect(m_followButton, &QToolButton::clicked, m_view, &BatchTimelineView::follow);
    connect(m_view, &BatchTimelineView::followingChanged, m_followButton, &QWidget::setDisabled);
    connect(m_zoomInButton, &QToolButton::clicked, m_view, [this] { m_view->zoom(kZoomFactor); });
    connect(m_zoomOutButton, &QToolButton::clicked, m_view, [this] { m_view->zoom(1 / kZoomFactor); });
    connect(m_timeButton, &QToolButton::toggled, m_view, &BatchTimelineView::setShowsTime);
    connect(m_view, &BatchTimelineView::unitChanged, m_timeButton, &QToolButton::setChecked);
    connect(m_legendButton, &QToolButton::toggled, m_legend, &QWidget::setVisible);
}

void BatchTimelinePanel::createWidgets()
{
    m_status = new ElidedLabel;
    m_status->setAccessibleName(tr("Batch"));
    m_events = new QLabel;
    m_events->setTextFormat(Qt::PlainText);
    m_events->setWordWrap(true);
    m_events->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_events->setAccessibleName(tr("What happened in the step"));
    m_events->hide();
    m_view = new BatchTimelineView(m_glass);
    m_legend = makeTimelineLegend();
    m_legend->hide();
    m_followButton = makeButton(tr("Follow"), tr("Show the newest step again (F)"));
    m_followButton->setEnabled(false);
    m_zoomInButton = makeButton(QStringLiteral("+"), tr("Zoom in (+, or the wheel)"));
    m_zoomOutButton = makeButton(QStringLiteral("−"), tr("Zoom out (−, or the wheel)"));
    m_timeButton = makeButton(tr("Time"), tr("The axis is the time, and not the step (T)"));
    m_timeButton->setCheckable(true);
    m_legendButton = makeButton(tr("Legend"), tr("What the marks of the batch timeline mean"));
    m_legendButton->setCheckable(true);
}

QToolButton* BatchTimelinePanel::makeButton(const QString& text, const QString& toolTip) const
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setAutoRaise(true);
    return button;
}

StepRange BatchTimelinePanel::stepsInView() const
{
    return {m_view->axis().firstVisible(), m_view->axis().lastVisible()};
}

void BatchTimelinePanel::layOut()
{
    auto* header = new QHBoxLayout;
    header->addWidget(m_status, 1);
    for (QToolButton* button :
         {m_followButton, m_timeButton, m_zoomOutButton, m_zoomInButton, m_legendButton})
        header->addWidget(button);
    header->addWidget(
        new ExportButton(this, QStringLiteral("timeline"),
                         {{tr("&Rows in view (CSV)…"), QStringLiteral("-rows"),
                           [this] { return ExportButton::csvOf(spanTable(*m_glass, stepsInView())); }},
                          {tr("&Steps in view (CSV)…"), QStringLiteral("-steps"),
                           [this] { return ExportButton::csvOf(stepTable(*m_glass, stepsInView())); }}}));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(4);
    column->addLayout(header);
    column->addWidget(m_events);
    column->addWidget(m_legend);
    column->addWidget(m_view, 1);
}

QString BatchTimelinePanel::status() const
{
    const StepFigures* step = m_glass->shownStepFigures();
    if (!step)
        return {};
    const double used = step->tokenBudget > 0 ? double(step->scheduledTokens()) / step->tokenBudget : 0;
    const QString text = tr("%1 run, %2 wait, token budget %3 %")
                             .arg(step->running)
                             .arg(step->waiting)
                             .arg(wholePercent(used));
    return m_glass->cursor() ? tr("Step %1: %2").arg(number(static_cast<qint64>(step->step)), text) : text;
}

QString BatchTimelinePanel::events() const
{
    const auto cursor = m_glass->cursor();
    return cursor ? stepSentence(*m_glass, *cursor) : QString();
}

void BatchTimelinePanel::refresh()
{
    m_status->setText(status());
    m_status->setToolTip(plainToolTip(m_status->text()));
    const QString happened = events();
    m_events->setText(happened);
    m_events->setToolTip(plainToolTip(happened));
    m_events->setVisible(!happened.isEmpty());
    // The same height at each step: what stands below does not move.
    if (!happened.isEmpty())
        fixEventsHeight();
}

/// Lines in the script of the words, which may be that of another font. Once a font: this is asked at each
/// step.
void BatchTimelinePanel::fixEventsHeight()
{
    if (m_events->minimumHeight() > 0 && m_events->font() == m_eventsFont)
        return;
    m_eventsFont = m_events->font();
    QLabel lines(QStringList(kEventLines, tr("Batch")).join(QLatin1Char('\n')));
    lines.setFont(m_eventsFont);
    m_events->setFixedHeight(std::max(lines.sizeHint().height(), kEventLines * fontMetrics().lineSpacing()));
}

void BatchTimelinePanel::setLegendShown(bool shown)
{
    m_legendButton->setChecked(shown);
}

} // namespace vitrine::ui
