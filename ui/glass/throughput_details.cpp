// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/throughput_details.h"

#include "ui/glass/figure_strip.h"
#include "ui/glass/histogram_view.h"
#include "ui/models/glass_model.h"
#include "ui/models/memory_limit.h"
#include "ui/models/metrics_history.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

namespace vitrine::ui {

namespace {

const QString kNothing = QStringLiteral("–");

std::vector<FigureStrip::Figure> figureList()
{
    return {
        {ThroughputDetails::tr("TPOT"), ThroughputDetails::tr("ms"), QStringLiteral("999.9"),
         ThroughputDetails::tr(
             "Time per output token: (last token − first token) / (tokens − 1) of an answer.\n"
             "Median of the last 256 answers.")},
        {ThroughputDetails::tr("prefix hits"), QStringLiteral("%"), QStringLiteral("100.0"),
         ThroughputDetails::tr(
             "Hit rate: prompt tokens found in the prefix cache, of all looked up since the pool was "
             "made.\nResumptions after a preemption do not count.")},
        {ThroughputDetails::tr("recomputed"), QStringLiteral("%"), QStringLiteral("100.0"),
         ThroughputDetails::tr(
             "Recompute tax: tokens computed again after a preemption, of all tokens computed since "
             "the pool was made.")},
        {ThroughputDetails::tr("rows used"), QStringLiteral("%"), QStringLiteral("100.0"),
         ThroughputDetails::tr(
             "Slot utilisation: rows of the batch that computed something, of all rows, since the "
             "pool was made.\nIn static batching an answer that has ended keeps its row until the "
             "whole batch has ended; in continuous batching it is 100 %.")},
        {ThroughputDetails::tr("limit"), ThroughputDetails::tr("tok/s a chat"), QStringLiteral("9999.9"),
         ThroughputDetails::tr(
             "What one chat could have if reading the weights from memory were all there is to do: "
             "bytes of weights that a step reads / measured memory bandwidth.\nA batch of n chats "
             "reads them once for all: n times as much, in all.")},
    };
}

QString measureTip()
{
    return ThroughputDetails::tr(
        "Reads memory with all cores for a moment, to see how fast this machine could "
        "read the model's weights. Possible while nothing runs.");
}

QString percent(double share)
{
    return QLocale().toString(100 * share, 'f', 1);
}

} // namespace

ThroughputDetails::ThroughputDetails(GlassModel* glass, MemoryLimit* limit, QWidget* parent)
    : QWidget(parent)
    , m_glass(glass)
    , m_limit(limit)
{
    createWidgets();
    layOut();
    connect(m_measure, &QToolButton::clicked, this, &ThroughputDetails::measure);
    connect(limit, &MemoryLimit::changed, this, &ThroughputDetails::refresh);
    refresh();
}

void ThroughputDetails::createWidgets()
{
    m_figures = new FigureStrip(figureList());
    m_figures->setAccessibleName(tr("Latency, reuse and waste"));
    m_ttft = new HistogramView(
        tr("TTFT"), tr("Time to first token: from the submission of a request to its first token.\n"
                       "The last 256 requests."));
    m_itl =
        new HistogramView(tr("ITL"), tr("Inter-token latency: the gap from one token of a chat to its next.\n"
                                        "The last 4096 gaps."));
    m_measure = new QToolButton;
    m_measure->setText(tr("Measure limit"));
    m_measure->setAccessibleName(tr("Measure the limit that memory bandwidth sets"));
}

void ThroughputDetails::layOut()
{
    auto* histograms = new QHBoxLayout;
    histograms->setSpacing(16);
    histograms->addWidget(m_ttft);
    histograms->addWidget(m_itl);
    auto* figures = new QHBoxLayout;
    figures->addWidget(m_figures, 1);
    figures->addWidget(m_measure, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(8);
    column->addLayout(figures);
    column->addLayout(histograms);
}

void ThroughputDetails::measure()
{
    m_limit->measure(QString::fromStdString(m_glass->model().path), m_glass->model().threads);
}

void ThroughputDetails::refresh()
{
    const MetricsHistory& metrics = m_glass->metrics();
    const MetricsHistory::Totals& totals = metrics.totals();
    const auto figure = [this](Figure index, bool known, const QString& value) {
        m_figures->setValue(index, known ? value : kNothing);
    };
    const std::uint64_t step = m_glass->shownStep();
    const LatencyWindow tpot = metrics.tpot().at(step);
    figure(Tpot, tpot.size() > 0, QLocale().toString(tpot.percentile(0.5) * 1000, 'f', 1));
    figure(HitRate, totals.queriedTokens > 0, percent(totals.hitRate()));
    figure(RecomputeTax, totals.computedTokens > 0, percent(totals.recomputeTax()));
    figure(SlotUse, totals.memberSteps > 0, percent(totals.slotUtilisation()));
    const auto& bound = m_limit->bound();
    figure(Limit, bound.has_value(), QLocale().toString(bound ? bound->tokensPerSecond(1) : 0, 'f', 1));
    m_ttft->setHistogram(latencyHistogram(metrics.ttft().at(step)));
    m_itl->setHistogram(latencyHistogram(metrics.itl().at(step)));
    updateButton();
}

void ThroughputDetails::updateButton()
{
    // What would be measured is the processor's memory.
    m_measure->setVisible(!m_glass->model().backend.starts_with("CUDA"));
    m_measure->setEnabled(m_glass->isIdle() && !m_limit->isMeasuring() && !m_glass->model().path.empty());
    m_measure->setText(m_limit->isMeasuring() ? tr("Measuring …") : tr("Measure limit"));
    m_measure->setToolTip(m_limit->error() ? QString::fromStdString(m_limit->error()->line()) : measureTip());
}

} // namespace vitrine::ui
