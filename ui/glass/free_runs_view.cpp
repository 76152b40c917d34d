// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/free_runs_view.h"

#include "ui/glass/glass_colors.h"
#include "ui/glass/refresh_gate.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/batch_history.h"
#include "ui/models/free_runs.h"
#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/models/percent.h"
#include "ui/models/pool_mirror.h"

#include <QHelpEvent>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr int kPlotHeight = 40;
constexpr int kHalvesGap = 16;
constexpr int kWidestBar = 24;

QString lengthOf(int bucket)
{
    const qint64 least = qint64{1} << bucket;
    return bucket == 0 ? number(1) : QStringLiteral("%1–%2").arg(number(least), number(2 * least - 1));
}

} // namespace

FreeRunsView::FreeRunsView(GlassModel* glass, QWidget* parent)
    : QWidget(parent)
    , m_glass(glass)
    , m_words(new QLabel(this))
    , m_gate(new RefreshGate(this, kChartInterval, [this] { refresh(); }))
{
    setAccessibleName(tr("Free memory"));
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_words);
    layOut();
    connect(glass, &GlassModel::poolReplaced, m_gate, &RefreshGate::request);
    connect(glass, &GlassModel::changed, m_gate, &RefreshGate::request);
    m_gate->request();
}

/// The plots are painted above the words.
void FreeRunsView::layOut()
{
    layout()->setContentsMargins(0, kPlotHeight + 2 * captionHeight() + 4, 0, 4);
}

void FreeRunsView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void FreeRunsView::refresh()
{
    m_words->setText(text());
    update();
}

QString FreeRunsView::text() const
{
    const FreeRuns& runs = m_glass->pool().freeRuns();
    if (runs.free() == 0)
        return tr("No block is free.");
    const QString words =
        tr("%Ln free run(s), the longest of %1 of %2 free blocks.", nullptr, static_cast<int>(runs.count()))
            .arg(number(runs.largest()), number(runs.free()));
    const QString share = number(wholePercent(runs.fragmentation()));
    if (m_glass->pool().isContiguous())
        return words + QLatin1Char(' ') +
               tr("Fragmentation %1 %: a request needs one run, and what is free beside the longest may be "
                  "of no "
                  "use to it.")
                   .arg(share);
    return words + QLatin1Char(' ') +
           tr("Fragmentation %1 %: harmless in paged mode, where any free block will do.").arg(share);
}

QRect FreeRunsView::plotArea(int half) const
{
    const int width = (this->width() - kHalvesGap) / 2;
    return {half * (width + kHalvesGap), captionHeight(), width, kPlotHeight};
}

void FreeRunsView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const GlassColors colors = glassColors(palette());
    paintHistogram(painter, plotArea(0), colors);
    paintHistory(painter, plotArea(1), colors);
    const QStringList captions{tr("Free runs by length, in blocks"), tr("Fragmentation, %")};
    painter.setPen(colors.dimText);
    for (int half = 0; half < 2; ++half) {
        const QRect caption(plotArea(half).left(), 0, plotArea(half).width(), captionHeight());
        painter.drawText(caption, Qt::AlignLeft | Qt::TextSingleLine,
                         fontMetrics().elidedText(captions[half], Qt::ElideRight, caption.width()));
    }
}

void FreeRunsView::paintHistogram(QPainter& painter, const QRect& area, const GlassColors& colors) const
{
    painter.fillRect(area.left(), area.bottom(), area.width(), 1, colors.mark);
    const std::vector<std::int64_t> counts = m_glass->pool().freeRuns().histogram();
    if (counts.empty())
        return;
    const auto most = *std::ranges::max_element(counts);
    const int step = std::min(kWidestBar, area.width() / static_cast<int>(counts.size()));
    const int widest = fontMetrics().horizontalAdvance(number(qint64{1} << (counts.size() - 1)));
    const int every = std::max(1, (widest + 4 + step - 1) / step);
    painter.setPen(colors.dimText);
    for (int bucket = 0; bucket < std::ssize(counts); ++bucket) {
        const auto count = counts[static_cast<std::size_t>(bucket)];
        const int left = area.left() + bucket * step;
        const int height =
            count == 0 ? 0 : std::max<int>(2, static_cast<int>(count * (area.height() - 1) / most));
        painter.fillRect(left, area.bottom() - height, std::max(1, step - 2), height, colors.dimText);
        if (bucket % every == 0)
            painter.drawText(QPoint(left, area.bottom() + fontMetrics().ascent() + 2),
                             number(qint64{1} << bucket));
    }
}

void FreeRunsView::paintHistory(QPainter& painter, const QRect& area, const GlassColors& colors) const
{
    painter.fillRect(area.left(), area.bottom(), area.width(), 1, colors.mark);
    painter.fillRect(area.left(), area.top(), area.width(), 1, colors.grid);
    const auto& steps = m_glass->batches().steps();
    if (steps.size() < 2)
        return;
    QPainterPath path(historyPoint(steps.front(), area));
    const auto pixels = static_cast<std::size_t>(std::max(2, area.width()));
    for (std::size_t i = 1; i < pixels; ++i) // no more points than can be told apart
        path.lineTo(historyPoint(steps[i * (steps.size() - 1) / (pixels - 1)], area));
    painter.strokePath(path, QPen(colors.text, 1));
    if (const StepFigures* shown = m_glass->cursor() ? m_glass->shownStepFigures() : nullptr)
        painter.fillRect(qRound(historyPoint(*shown, area).x()), area.top(), 1, area.height(), colors.text);
    painter.setPen(colors.dimText);
    const int baseline = area.bottom() + fontMetrics().ascent() + 2;
    painter.drawText(QPoint(area.left(), baseline), tr("step %1").arg(number(qint64(steps.front().step))));
    const QString last = number(qint64(steps.back().step));
    painter.drawText(QPoint(area.right() - fontMetrics().horizontalAdvance(last), baseline), last);
}

QPointF FreeRunsView::historyPoint(const StepFigures& step, const QRect& area) const
{
    const auto& steps = m_glass->batches().steps();
    const double along = static_cast<double>(step.step - steps.front().step) /
                         static_cast<double>(steps.back().step - steps.front().step);
    return {area.left() + along * (area.width() - 1),
            area.bottom() - 1 - static_cast<double>(step.fragmentation) * (area.height() - 2)};
}

bool FreeRunsView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString words = text();
    const auto counts = m_glass->pool().freeRuns().histogram();
    if (plotArea(0).contains(help->pos()) && !counts.empty()) {
        const int step = std::min(kWidestBar, plotArea(0).width() / static_cast<int>(counts.size()));
        const int bucket = (help->pos().x() - plotArea(0).left()) / std::max(1, step);
        if (bucket < std::ssize(counts))
            words = tr("Runs of %1 blocks: %2")
                        .arg(lengthOf(bucket), number(counts[static_cast<std::size_t>(bucket)]));
    }
    QToolTip::showText(help->globalPos(), plainToolTip(words), this);
    return true;
}

} // namespace vitrine::ui
