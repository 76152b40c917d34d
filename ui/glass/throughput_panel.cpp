// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/throughput_panel.h"

#include "ui/glass/export_button.h"
#include "ui/glass/figure_strip.h"
#include "ui/glass/refresh_gate.h"
#include "ui/glass/throughput_details.h"
#include "ui/glass/throughput_plot.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/memory_limit.h"
#include "ui/models/metrics_history.h"
#include "ui/models/panel_tables.h"
#include "ui/models/percent.h"
#include "ui/theme/elided_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

namespace vitrine::ui {

namespace {

/// Of text; a panel that high has room for them.
constexpr int kLinesForDetails = 30;
constexpr int kLinesForLongFall = 16; ///< why the curve fell, in two lines

const QString kNothing = QStringLiteral("–");

std::vector<FigureStrip::Figure> figureList()
{
    return {
        {ThroughputPanel::tr("generated"), ThroughputPanel::tr("tok/s (1 s)"), QStringLiteral("9999.9"),
         ThroughputPanel::tr(
             "Tokens generated per second by all chats together, over the last second of work.")},
        {ThroughputPanel::tr("prompt"), ThroughputPanel::tr("tok/s (1 s)"), QStringLiteral("9999.9"),
         ThroughputPanel::tr("Prompt tokens computed per second, over the last second of work.\n"
                             "Tokens found in the prefix cache are not computed and do not count.")},
        {ThroughputPanel::tr("batch"), QString(), QStringLiteral("999"),
         ThroughputPanel::tr("Sequences in the step shown.")},
        {ThroughputPanel::tr("KV cache"), QStringLiteral("%"), QStringLiteral("100"),
         ThroughputPanel::tr("kv_cache_usage: active blocks of all usable blocks.")},
        {ThroughputPanel::tr("TTFT"), ThroughputPanel::tr("ms"), QStringLiteral("99999"),
         ThroughputPanel::tr("Time to first token: from the submission of a request to its first token.\n"
                             "Median of the last 256 requests.")},
        {ThroughputPanel::tr("ITL"), ThroughputPanel::tr("ms"), QStringLiteral("999.9"),
         ThroughputPanel::tr("Inter-token latency: the gap from one token of a chat to its next.\n"
                             "Median of the last 4096 gaps.")},
    };
}

QString rate(double tokensPerSecond)
{
    return QLocale().toString(tokensPerSecond, 'f', 1);
}

QString median(const LatencyWindow& window, int decimals)
{
    return window.size() == 0 ? kNothing : QLocale().toString(window.percentile(0.5) * 1000, 'f', decimals);
}

} // namespace

ThroughputPanel::ThroughputPanel(GlassModel* glass, QWidget* parent)
    : QWidget(parent)
    , m_glass(glass)
    , m_limit(new MemoryLimit(this))
{
    createWidgets();
    layOut();
    showFall();
    m_gate = new RefreshGate(this, kChartInterval, [this] { refresh(); });
    connect(glass, &GlassModel::changed, m_gate, &RefreshGate::request);
    connect(glass, &GlassModel::becameIdle, m_gate, &RefreshGate::request);
    connect(&glass->selection(), &GlassSelection::changed, m_gate, &RefreshGate::request);
    connect(m_limit, &MemoryLimit::changed, m_gate, &RefreshGate::request);
    m_gate->request();
    // Of a recording all is there at once.
    connect(glass, &GlassModel::poolReplaced, m_window, [this] {
        if (m_glass->isReplay())
            m_window->setCurrentIndex(m_window->findData(ThroughputPlot::kEverything));
    });
}

void ThroughputPanel::createWidgets()
{
    m_figures = new FigureStrip(figureList());
    m_plot = new ThroughputPlot(m_glass);
    m_fall = new ElidedLabel;
    m_fall->setAccessibleName(tr("Why fewer tokens were generated"));
    m_details = new ThroughputDetails(m_glass, m_limit);
    m_details->hide();
    m_detailsButton = new QToolButton;
    m_detailsButton->setText(tr("Details"));
    m_detailsButton->setToolTip(tr("How latencies are spread; prefix hits, recomputed tokens, slot use"));
    m_detailsButton->setAccessibleName(tr("Details of throughput and latency"));
    m_detailsButton->setCheckable(true);
    m_detailsButton->setAutoRaise(true);
    connect(m_detailsButton, &QToolButton::clicked, this, &ThroughputPanel::setDetailsShown);
    m_window = new QComboBox;
    m_window->setFrame(false);
    m_window->setAccessibleName(tr("Time span of the charts"));
    m_window->setToolTip(tr("Time span of the charts"));
    m_window->addItem(tr("last 30 seconds"), 30);
    m_window->addItem(tr("last minute"), 60);
    m_window->addItem(tr("last 5 minutes"), 300);
    m_window->addItem(tr("last 30 minutes"), 1800);
    m_window->addItem(tr("everything"), ThroughputPlot::kEverything);
    connect(m_window, &QComboBox::currentIndexChanged, m_plot,
            [this] { m_plot->setWindowSeconds(m_window->currentData().toDouble()); });
    m_plot->setWindowSeconds(m_window->currentData().toDouble());
}

void ThroughputPanel::layOut()
{
    auto* corner = m_corner = new QHBoxLayout;
    corner->setSpacing(4);
    corner->addWidget(m_detailsButton);
    corner->addWidget(new ExportButton(
        this, QStringLiteral("throughput"),
        {{tr("&Charts (CSV)…"), QString(),
          [this] { return ExportButton::csvOf(throughputTable(m_plot->series())); }},
         {tr("&Latencies (CSV)…"), QStringLiteral("-latencies"), [this] {
              const MetricsHistory& metrics = m_glass->metrics();
              const auto histogram = [step = m_glass->shownStep()](const LatencyLog& log) {
                  return latencyHistogram(log.at(step));
              };
              return ExportButton::csvOf(latencyTable(histogram(metrics.ttft()), histogram(metrics.itl()),
                                                      histogram(metrics.tpot())));
          }}}));
    corner->addWidget(m_window);
    auto* charts = new QGridLayout;
    charts->addWidget(m_plot, 0, 0);
    // Beside the first chart's title, where the plot leaves room for it.
    charts->addLayout(corner, 0, 0, Qt::AlignTop | Qt::AlignRight);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(4);
    column->addWidget(m_figures);
    column->addWidget(m_fall);
    column->addLayout(charts, 1);
    column->addWidget(m_details);
}

void ThroughputPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_plot->setCorner(m_corner->sizeHint()); // which is known when there is a style
    m_fall->setLineCount(height() >= kLinesForLongFall * fontMetrics().height() ? 2 : 1);
    showDetails();
}

void ThroughputPanel::setDetailsShown(bool shown)
{
    m_wantsDetails = shown;
    showDetails();
}

void ThroughputPanel::showDetails()
{
    const bool shown = m_wantsDetails.value_or(height() >= kLinesForDetails * fontMetrics().height());
    m_detailsButton->setChecked(shown);
    m_details->setVisible(shown);
    m_gate->request();
}

void ThroughputPanel::followModel()
{
    const ModelInfo& model = m_glass->model();
    const QString pathAndBackend = QString::fromStdString(model.path + '\n' + model.backend);
    if (pathAndBackend == m_limitOf)
        return;
    m_limitOf = pathAndBackend;
    m_limit->clear();
}

void ThroughputPanel::refresh()
{
    followModel();
    showFigures();
    m_plot->setBound(m_limit->bound());
    m_plot->refresh();
    showFall();
    if (m_details->isVisible())
        m_details->refresh();
}

void ThroughputPanel::showFall()
{
    if (m_shownFall == m_plot->fallWords())
        return;
    m_shownFall = m_plot->fallWords();
    m_fall->setTexts(m_shownFall.whole, m_shownFall.brief);
    m_fall->setToolTip(plainToolTip(m_shownFall.whole));
}

void ThroughputPanel::showFigures()
{
    const BatchHistory& batches = m_glass->batches();
    // Rest is seen while the newest step is followed; a step of the past has the rates that it had.
    const bool idle = m_glass->isIdle() && !m_glass->cursor() && !m_glass->isReplay();
    const std::uint64_t step = m_glass->shownStep();
    const StepFigures* shown = idle ? nullptr : m_glass->shownStepFigures();
    m_figures->setValue(Decode, rate(idle ? 0 : batches.sampledTokensPerSecondAt(step)));
    m_figures->setValue(Prefill, rate(idle ? 0 : batches.prefillTokensPerSecondAt(step)));
    m_figures->setValue(Batch, QLocale().toString(shown ? shown->members : 0));
    m_figures->setValue(KvCache, QLocale().toString(wholePercent(m_glass->figures().kvCacheUsage())));
    m_figures->setValue(Ttft, median(m_glass->metrics().ttft().at(step), 0));
    m_figures->setValue(Itl, median(m_glass->metrics().itl().at(step), 1));
}

} // namespace vitrine::ui
