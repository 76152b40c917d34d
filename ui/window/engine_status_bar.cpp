// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/engine_status_bar.h"

#include "ui/glass/refresh_gate.h"
#include "ui/models/backend_words.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/model_state.h"
#include "ui/models/percent.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QLabel>
#include <QLayout>

namespace vitrine::ui {
namespace {

constexpr int kLettersOfModel = 8; ///< that are left of its name

} // namespace

EngineStatusBar::EngineStatusBar(const ModelState& model, const GlassModel& glass, QWidget* parent)
    : QStatusBar(parent)
    , m_model(model)
    , m_glass(glass)
    , m_modelField(new ElidedLabel(this))
{
    m_modelField->setContentsMargins(kGap, 0, kGap, 0);
    addWidget(m_modelField, 1);
    m_usage = addField(tr("KV 100 % · %L1 of %L1 blocks").arg(99999),
                       tr("KV cache in use: blocks that a sequence holds, of all blocks that can be used"));
    m_requests = addField(tr("%L1 running · %L1 waiting").arg(999),
                          tr("Sequences in the batch, and those that wait for a place or for blocks"));
    m_rate = addField(tr("%L1 tok/s").arg(99999.9, 0, 'f', 1),
                      tr("Tokens generated in the last second, all chats together"));
    m_health =
        addField(tr("%L1 steps not seen").arg(99999),
                 tr("Whether the views equal the engine: each step carries a checksum of the block pool, and "
                    "the views compare it with their own"));
    fitFields();
    auto* gate = new RefreshGate(this, kChartInterval, [this] { refreshFigures(); });
    connect(&glass, &GlassModel::changed, gate, &RefreshGate::request);
    connect(&glass, &GlassModel::becameIdle, gate, &RefreshGate::requestNow);
    connect(&glass, &GlassModel::poolReplaced, gate, &RefreshGate::requestNow);
    connect(&model, &ModelState::changed, this, &EngineStatusBar::refreshModel);
    refreshModel();
    refreshFigures();
}

QLabel* EngineStatusBar::addField(const QString& widest, const QString& tip)
{
    auto* field = new QLabel(this);
    field->setTextFormat(Qt::PlainText);
    field->setToolTip(tip);
    field->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    addPermanentWidget(field);
    m_fields.append({field, widest});
    return field;
}

void EngineStatusBar::fitFields()
{
    // Fixed in height too: then a new text does not lay the whole window out again.
    for (const auto& [label, widest] : m_fields)
        label->setFixedSize(label->fontMetrics().horizontalAdvance(widest) + kGap,
                            label->fontMetrics().height());
    showFitting();
}

void EngineStatusBar::showFitting()
{
    const TraceHealth& health = m_glass.health();
    QList<QLabel*> byWeight{m_rate, m_usage, m_requests};
    byWeight.insert(health.mismatchStep || health.droppedSteps > 0 ? 0 : byWeight.size(), m_health);
    int room = width() - 2 * kGap - m_modelField->fontMetrics().averageCharWidth() * kLettersOfModel;
    for (QLabel* label : byWeight) {
        room -= label->width() + layout()->spacing();
        label->setVisible(room >= 0);
    }
}

void EngineStatusBar::resizeEvent(QResizeEvent* event)
{
    QStatusBar::resizeEvent(event);
    showFitting();
}

void EngineStatusBar::changeEvent(QEvent* event)
{
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitFields();
}

void EngineStatusBar::setPaused(bool paused)
{
    m_paused = paused;
    refreshFigures();
}

void EngineStatusBar::refreshModel()
{
    const ModelInfo& info = m_model.info();
    if (!m_model.isLoaded()) {
        m_modelField->setText(m_model.isLoading() ? tr("Loading a model") : tr("No model"));
        return;
    }
    QString text = tr("%1 · %2 · %n thread(s)", nullptr, info.threads)
                       .arg(m_model.loadedName(), QString::fromStdString(info.backend));
    if (info.backendNote && isUnexpected(info.backendNote->problem))
        text += QStringLiteral(" · ") + shortWords(info.backendNote->problem);
    m_modelField->setText(text);
    m_modelField->setToolTip(info.backendNote ? text + QStringLiteral("\n") + describe(*info.backendNote)
                                              : text);
}

void EngineStatusBar::refreshFigures()
{
    const PoolFigures& figures = m_glass.newestFigures();
    const auto& steps = m_glass.batches().steps();
    m_usage->setText(m_glass.hasPool() ? tr("KV %L1 % · %L2 of %L3 blocks")
                                             .arg(wholePercent(figures.kvCacheUsage()))
                                             .arg(figures.activeBlocks)
                                             .arg(figures.usableBlocks)
                                       : tr("KV –"));
    m_requests->setText(tr("%L1 running · %L2 waiting")
                            .arg(steps.empty() ? 0 : steps.back().running)
                            .arg(steps.empty() ? 0 : steps.back().waiting));
    const double rate = m_glass.isIdle() ? 0 : m_glass.batches().sampledTokensPerSecond();
    m_rate->setText(m_paused ? tr("paused") : tr("%L1 tok/s").arg(rate, 0, 'f', 1));
    refreshHealth();
}

void EngineStatusBar::refreshHealth()
{
    const TraceHealth& health = m_glass.health();
    QColor color = quietText(palette());
    if (health.mismatchStep) {
        m_health->setText(tr("differs at step %L1").arg(*health.mismatchStep));
        color = errorColor(palette());
    } else if (health.droppedSteps > 0) {
        m_health->setText(tr("%L1 steps not seen").arg(health.droppedSteps));
        color = warningColor(palette());
    } else {
        m_health->setText(m_glass.hasPool() ? tr("views exact") : QString());
    }
    setTextColor(*m_health, color);
    showFitting();
}

} // namespace vitrine::ui
