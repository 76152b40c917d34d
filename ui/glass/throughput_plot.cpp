// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/throughput_plot.h"

#include "ui/glass/ago_ticker.h"
#include "ui/glass/glass_colors.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/latency_histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vitrine::ui {

namespace {

/// The axis of "everything" is no shorter.
constexpr double kLeastSeconds = 2;

constexpr int kChartSpace = 6;
constexpr int kMargin = 2;        ///< under a chart, and under its title
constexpr double kBeyondMark = 7; ///< pixels
constexpr double kFallRing = 9;   ///< pixels
/// Where an interval is so wide, it is drawn as wide: what is the mean of it is no slope.
constexpr double kWideInterval = 6; ///< pixels
constexpr std::array kStretch{2.0, 1.0, 1.0, 1.4};
constexpr double kMostLimitAbove = 2.5;
/// One long prompt, or the first step on a cold machine, takes as long as a hundred others and would press
/// them flat. Where the longest is more than this many times what three of four stay below, the axis is for
/// these, with room for what is usual above them, and what is beyond it is marked.
constexpr double kTypicalShare = 0.75;
constexpr double kOutlierFrom = 3;
constexpr double kUsualAbove = 1.5;
/// A step so many times as long as the mean of its interval has a line of its own.
constexpr double kFarFromMean = 1.5;
/// A line wider than a pixel costs ten times as much to paint: many curves, which overlap anyway, are thin.
constexpr std::size_t kMostWideCurves = 8;

/// A curve has no line along zero before its first point that is not zero, and none after its last.
QVector<double> withoutEnds(QVector<double> values)
{
    const auto isSome = [](double value) { return value != 0; };
    const auto first = std::ranges::find_if(values, isSome);
    const auto last = std::find_if(values.rbegin(), values.rend(), isSome).base();
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    if (first - values.begin() > 1)
        std::fill(values.begin(), first - 1, nothing); // from zero it rises
    if (values.end() - last > 1)
        std::fill(last + 1, values.end(), nothing);
    return values;
}

} // namespace

ThroughputPlot::ThroughputPlot(GlassModel* glass, QWidget* parent)
    : QCustomPlot(parent)
    , m_glass(glass)
    , m_leftEdge(new QCPMarginGroup(this))
{
    setAccessibleName(tr("Throughput charts"));
    setPlottingHint(QCP::phFastPolylines);
    setPlottingHint(QCP::phImmediateRefresh, false); // drawn with the other panels, in one go
    setAutoAddPlottableToLegend(false);
    createCharts();
    arrangeCharts();
    followTheme();
    connect(glass, &GlassModel::cursorChanged, this, &ThroughputPlot::showCursor);
    const auto markStale = [this] { m_stale = true; };
    connect(glass, &GlassModel::poolReplaced, this, markStale);
    connect(&glass->selection(), &GlassSelection::changed, this, markStale);
    connect(glass, &GlassModel::labelsChanged, this, markStale);
}

int ThroughputPlot::heightOf(int charts) const
{
    const int title = fontMetrics().height() + 2 * kMargin;
    return charts * (kSmallestChart + kChartSpace + title) + 2 * fontMetrics().height();
}

QSize ThroughputPlot::minimumSizeHint() const
{
    return {200, heightOf(1)};
}

QSize ThroughputPlot::sizeHint() const
{
    return {360, heightOf(kChartCount) + 4 * kSmallestChart};
}

/// Where there is no room for all, those stay that nothing else on the screen shows.
std::vector<ThroughputPlot::ChartIndex> ThroughputPlot::fittingCharts() const
{
    if (height() >= heightOf(4))
        return {Decode, Prefill, Batch, StepTime};
    if (height() >= heightOf(3))
        return {Decode, Prefill, StepTime};
    if (height() >= heightOf(2))
        return {Decode, StepTime};
    if (height() >= heightOf(1))
        return {Decode};
    return {};
}

void ThroughputPlot::arrangeCharts()
{
    const auto fitting = fittingCharts();
    if (fitting == m_shown)
        return;
    for (const ChartIndex chart : m_shown)
        plotLayout()->take(m_charts[chart].rect);
    plotLayout()->simplify();
    m_shown = fitting;
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        const auto row = std::ranges::find(m_shown, static_cast<ChartIndex>(i)) - m_shown.begin();
        const bool shown = row < std::ssize(m_shown);
        m_charts[i].rect->setVisible(shown);
        m_charts[i].title->setVisible(shown);
        if (!shown)
            continue;
        plotLayout()->addElement(static_cast<int>(row), 0, m_charts[i].rect);
        plotLayout()->setRowStretchFactor(static_cast<int>(row), kStretch[i]);
        m_charts[i].rect->axis(QCPAxis::atBottom)->setTickLabels(row + 1 == std::ssize(m_shown));
    }
}

void ThroughputPlot::createCharts()
{
    m_charts[Decode] = makeChart(this, tr("generated, tok/s"));
    m_charts[Prefill] = makeChart(this, tr("prompt, tok/s"));
    m_charts[Batch] = makeChart(this, tr("batch size"));
    m_charts[StepTime] = makeChart(this, tr("step, ms"));
    for (const Chart& chart : m_charts)
        chart.rect->setMarginGroup(QCP::msLeft, m_leftEdge);
    m_decodeGraph = addGraphTo(m_charts[Decode]);
    m_limitGraph = addGraphTo(m_charts[Decode]);
    m_preemptionGraph = addGraphTo(m_charts[Decode]);
    m_preemptionGraph->setLineStyle(QCPGraph::lsNone);
    m_fallGraph = addGraphTo(m_charts[Decode]);
    m_fallGraph->setLineStyle(QCPGraph::lsNone);
    m_prefillGraph = addGraphTo(m_charts[Prefill]);
    m_batchGraph = addGraphTo(m_charts[Batch]);
    m_batchGraph->setLineStyle(QCPGraph::lsStepCenter);
    createStepTimeGraphs();
    // Only now: items look for some axis rectangle when they are made, and complain where there is none.
    plotLayout()->clear();
    plotLayout()->setRowSpacing(kChartSpace);
}

QCPGraph* ThroughputPlot::addGraphTo(const Chart& chart)
{
    QCPGraph* graph = addGraph(chart.rect->axis(QCPAxis::atBottom), chart.rect->axis(QCPAxis::atLeft));
    graph->setAdaptiveSampling(true);
    return graph;
}

void ThroughputPlot::createStepTimeGraphs()
{
    // Drawn from the largest sum down, each part fills the room to the sum below it.
    m_planGraph = addGraphTo(m_charts[StepTime]);
    m_forwardGraph = addGraphTo(m_charts[StepTime]);
    m_sampleGraph = addGraphTo(m_charts[StepTime]);
    m_longestGraph = addGraphTo(m_charts[StepTime]);
    m_longestGraph->setLineStyle(QCPGraph::lsImpulse);
    m_beyondGraph = addGraphTo(m_charts[StepTime]);
    m_beyondGraph->setLineStyle(QCPGraph::lsNone);
    m_forwardGraph->setChannelFillGraph(m_planGraph);
}

void ThroughputPlot::followTheme()
{
    const GlassColors colors = glassColors(palette());
    setBackground(colors.background);
    for (Chart& chart : m_charts) {
        for (QCPAxis* axis : chart.rect->axes())
            styleAxis(axis, font(), colors);
        chart.title->setFont(font());
        chart.title->setColor(colors.dimText);
        chart.cursor->setPen(QPen(colors.text, 1));
    }
    m_decodeGraph->setPen(QPen(colors.text, 2));
    m_decodeGraph->setBrush(colors.empty);
    m_limitGraph->setPen(QPen(colors.dimText, 1, Qt::DashLine));
    m_preemptionGraph->setPen(QPen(colors.warning, 1));
    m_preemptionGraph->setScatterStyle(
        {QCPScatterStyle::ssTriangleInverted, colors.warning, colors.warning, kBeyondMark});
    m_fallGraph->setPen(QPen(colors.warning, 2));
    m_fallGraph->setScatterStyle(
        {QCPScatterStyle::ssCircle, QPen(colors.warning, 2), QBrush(colors.background), kFallRing});
    m_prefillGraph->setPen(QPen(colors.dimText, 1.5));
    m_prefillGraph->setBrush(colors.empty);
    m_batchGraph->setPen(QPen(colors.dimText, 1.5));
    m_batchGraph->setBrush(colors.empty);
    m_beyondGraph->setPen(QPen(colors.text, 1));
    m_beyondGraph->setScatterStyle({QCPScatterStyle::ssTriangle, colors.text, colors.text, kBeyondMark});
    fitMargins();
    m_planGraph->setPen(QPen(colors.text, 1));
    m_planGraph->setBrush(colors.text);
    m_forwardGraph->setPen(QPen(colors.mark, 1));
    m_forwardGraph->setBrush(mixed(colors.mark, colors.background, 0.5));
    m_sampleGraph->setPen(QPen(colors.text, 1));
    m_longestGraph->setPen(QPen(colors.text, 1));
    showChats();
    replot(rpQueuedReplot);
}

void ThroughputPlot::setBound(const std::optional<MemoryBound>& bound)
{
    m_stale = m_stale || bound != m_bound;
    m_bound = bound;
}

void ThroughputPlot::setCorner(QSize size)
{
    m_corner = size;
    fitMargins();
}

void ThroughputPlot::fitMargins()
{
    const int right = fontMetrics().horizontalAdvance(tr("now")) / 2 + 4; // of the last label
    const int title = fontMetrics().height() + kMargin;
    for (std::size_t i = 0; i < m_charts.size(); ++i)
        m_charts[i].rect->setMinimumMargins(
            {0, i == Decode ? std::max(title, m_corner.height()) : title, right, kMargin});
}

void ThroughputPlot::setWindowSeconds(double seconds)
{
    m_windowSeconds = seconds;
    m_stale = true;
    refresh();
}

double ThroughputPlot::windowSeconds() const
{
    if (m_windowSeconds > 0)
        return m_windowSeconds;
    const auto& steps = m_glass->batches().steps();
    return steps.empty() ? kLeastSeconds
                         : std::max(kLeastSeconds, steps.back().endSeconds - steps.front().beginSeconds);
}

void ThroughputPlot::refresh()
{
    // Two pixels a point: more cannot be told apart.
    const int points = std::clamp(m_charts[Decode].rect->width() / 2, 60, 1200);
    const ThroughputSpan span = throughputSpan(*m_glass, windowSeconds(), points);
    // An interval is shown once it is over, and does not change any more.
    if (!m_stale && span == m_span)
        return;
    m_stale = false;
    m_span = span;
    m_series = throughputSeries(*m_glass, span);
    showSeries();
    showChats();
    showCursor();
    replot(rpQueuedReplot);
}

void ThroughputPlot::showSeries()
{
    const bool sorted = true;
    m_decodeGraph->setData(m_series.seconds, m_series.decodeRate, sorted);
    m_prefillGraph->setData(m_series.seconds, m_series.prefillRate, sorted);
    m_batchGraph->setData(m_series.seconds, m_series.batchSize, sorted);
    const double points = windowSeconds() / std::max(m_series.intervalSeconds, MetricsHistory::kBinSeconds);
    const bool isWide = m_charts[Decode].rect->width() >= kWideInterval * points;
    for (QCPGraph* graph : {m_decodeGraph, m_prefillGraph, m_planGraph, m_forwardGraph, m_sampleGraph})
        graph->setLineStyle(isWide ? QCPGraph::lsStepCenter : QCPGraph::lsLine);
    showLimit();
    showPreemptions();
    fitValueAxis(m_charts[Prefill], largestOf(m_series.prefillRate), fontMetrics().height());
    fitValueAxis(m_charts[Batch], largestOf(m_series.batchSize), fontMetrics().height());
    showStepTimes();
    if (m_series.size() == 0)
        return;
    const double end = m_series.seconds.back() + m_series.intervalSeconds / 2;
    for (const Chart& chart : m_charts) {
        QCPAxis* time = chart.rect->axis(QCPAxis::atBottom);
        time->setRange(end - windowSeconds(), end);
        time->ticker().staticCast<AgoTicker>()->setOfThePast(m_glass->isReplay());
        time->ticker()->setTickOrigin(m_series.newestSeconds + m_series.intervalSeconds / 2);
    }
}

/// Where the limit is far above what was reached it would press the curves flat: then its number says it.
void ThroughputPlot::showLimit()
{
    QVector<double> limit(m_series.size(), std::numeric_limits<double>::quiet_NaN());
    if (m_bound)
        std::ranges::transform(m_series.batchSize, limit.begin(),
                               [this](double batch) { return m_bound->tokensPerSecond(batch); });
    const double largest = largestOf(m_series.decodeRate);
    const double highest = largestOf(limit);
    const bool fits = highest > 0 && highest <= kMostLimitAbove * largest;
    m_limitGraph->setVisible(fits);
    m_limitGraph->setData(m_series.seconds, limit, true);
    fitValueAxis(m_charts[Decode], fits ? std::max(largest, highest) : largest, fontMetrics().height());
    QString title = decodeTitle();
    if (fits)
        title += tr("  ╌ limit of memory");
    else if (highest > 0)
        title += tr("  limit of memory %L1").arg(highest, 0, 'f', 0);
    m_charts[Decode].title->setText(title);
}

void ThroughputPlot::showPreemptions()
{
    QVector<double> seconds, marks;
    const Chart& chart = m_charts[Decode];
    for (qsizetype i = 0; i < m_series.size(); ++i) {
        if (m_series.preemptions[i] <= 0)
            continue;
        seconds << m_series.seconds[i];
        marks << chart.top * (1 - kBeyondMark / chart.rect->height());
    }
    m_preemptionGraph->setData(seconds, marks, true);
    const QString title = chart.title->text() + tr("  ▼ thrown out");
    const int room = chart.rect->width() - m_corner.width();
    if (!marks.isEmpty() && fontMetrics().horizontalAdvance(title) <= room)
        chart.title->setText(title);
}

void ThroughputPlot::showStepTimes()
{
    const bool sorted = true;
    const QVector<double> planAndForward = sum(m_series.planMillis, m_series.forwardMillis);
    const QVector<double> whole = sum(planAndForward, m_series.sampleMillis);
    m_planGraph->setData(m_series.seconds, m_series.planMillis, sorted);
    m_forwardGraph->setData(m_series.seconds, planAndForward, sorted);
    m_sampleGraph->setData(m_series.seconds, whole, sorted);
    showLongestSteps(whole);
    const double largest = largestOf(m_series.longestMillis);
    const double typical = quantile(m_series.longestMillis, kTypicalShare);
    Chart& chart = m_charts[StepTime];
    fitValueAxis(chart, largest > kOutlierFrom * typical ? kUsualAbove * typical : largest,
                 fontMetrics().height());
    QVector<double> seconds, marks;
    for (qsizetype i = 0; i < whole.size(); ++i) {
        if (m_series.longestMillis[i] > chart.top) {
            seconds << m_series.seconds[i];
            marks << chart.top * (1 - kBeyondMark / chart.rect->height());
        }
    }
    m_beyondGraph->setData(seconds, marks, sorted);
    chart.title->setText(
        stepTimeTitle(marks.isEmpty() ? QString() : tr("  ▲ up to %L1").arg(largest, 0, 'f', 0)));
}

void ThroughputPlot::showLongestSteps(const QVector<double>& mean)
{
    QVector<double> seconds, millis;
    for (qsizetype i = 0; i < mean.size(); ++i) {
        if (m_series.longestMillis[i] >= kFarFromMean * mean[i]) {
            seconds << m_series.seconds[i];
            millis << m_series.longestMillis[i];
        }
    }
    m_longestGraph->setData(seconds, millis, true);
}

void ThroughputPlot::showChats()
{
    std::erase_if(m_chatGraphs, [this](const auto& entry) {
        return !m_series.chats.contains(entry.first) && removeGraph(entry.second);
    });
    const Shade shade = shadeOf(palette());
    const double width = m_series.chats.size() > kMostWideCurves ? 1 : 1.5;
    for (const auto& [chat, curve] : m_series.chats) {
        QCPGraph*& graph = m_chatGraphs[chat];
        if (!graph)
            graph = addGraphTo(m_charts[Decode]);
        const bool isChosen = chat == m_glass->selection().chat();
        graph->setPen(QPen(sequenceColor(curve.label.colorSlot, shade), isChosen ? 3 : width,
                           sequencePenStyle(curve.label.colorSlot)));
        graph->setData(m_series.seconds, withoutEnds(curve.tokensPerSecond), true);
    }
}

void ThroughputPlot::showCursor()
{
    const auto step = m_glass->cursor();
    const StepFigures* figures = step ? m_glass->batches().at(*step) : nullptr;
    for (const Chart& chart : m_charts) {
        chart.cursor->setVisible(figures && chart.rect->visible());
        if (!figures)
            continue;
        chart.cursor->point1->setCoords(figures->endSeconds, 0);
        chart.cursor->point2->setCoords(figures->endSeconds, 1);
    }
    showFall();
    replot(rpQueuedReplot);
}

void ThroughputPlot::showFall()
{
    const StepFigures* figures = m_glass->cursor() ? m_glass->shownStepFigures() : nullptr;
    m_fall = lastFall(m_series, figures == nullptr ? -1 : m_series.indexAt(figures->endSeconds));
    QVector<double> seconds, rates;
    if (m_fall) {
        seconds << m_series.seconds[m_fall->end];
        rates << m_fall->to;
    }
    m_fallGraph->setData(seconds, rates, true);
    m_fallWords = describeFall();
}

/// Into a drawing for a file as shapes, and not as the picture that the screen gets.
void ThroughputPlot::paintEvent(QPaintEvent* event)
{
    {
        QCPPainter painter(this);
        if (painter.paintEngine() != nullptr && painter.paintEngine()->type() == QPaintEngine::SVG)
            return toPainter(&painter, width(), height());
    }
    QCustomPlot::paintEvent(event);
}

void ThroughputPlot::resizeEvent(QResizeEvent* event)
{
    arrangeCharts();
    m_stale = true; // how many numbers an axis has room for
    QCustomPlot::resizeEvent(event);
}

void ThroughputPlot::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        followTheme();
}

void ThroughputPlot::mousePressEvent(QMouseEvent* event)
{
    QCustomPlot::mousePressEvent(event);
    const double seconds = m_charts[Decode].rect->axis(QCPAxis::atBottom)->pixelToCoord(event->pos().x());
    const StepFigures* figures = m_glass->batches().atTime(seconds);
    if (event->button() == Qt::LeftButton && figures)
        m_glass->setCursor(figures->step == m_glass->cursor() ? std::nullopt : std::optional(figures->step));
}

} // namespace vitrine::ui
