// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/glass_model.h"

#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"

#include <utility>

namespace vitrine::ui {

namespace {

constexpr std::chrono::milliseconds kIdleAfter{1000};

} // namespace

GlassModel::GlassModel(const SequenceDirectory* directory, QObject* parent)
    : QObject(parent)
    , m_directory(directory)
    , m_pool(std::make_unique<PoolMirror>())
    , m_batches(std::make_unique<BatchHistory>())
    , m_metrics(std::make_unique<MetricsHistory>())
{
    m_frameTimer.setSingleShot(true);
    m_frameTimer.setInterval(kFrameInterval);
    connect(&m_frameTimer, &QTimer::timeout, this, &GlassModel::beginFrame);
    m_idleTimer.setSingleShot(true);
    m_idleTimer.setInterval(kIdleAfter);
    connect(&m_idleTimer, &QTimer::timeout, this, &GlassModel::fallIdle);
}

GlassModel::~GlassModel() = default;

void GlassModel::connectTo(EngineHost* host)
{
    connect(host, &EngineHost::modelLoaded, this, &GlassModel::setModel);
    connect(host, &EngineHost::optionsChanged, this, &GlassModel::setModel);
    connect(host, &EngineHost::stepsRecorded, this, &GlassModel::receive);
}

void GlassModel::setModel(const ModelInfo& info)
{
    m_model = info;
    emit changed();
}

void GlassModel::receive(const StepBatchPtr& batch)
{
    m_waiting.push_back(batch);
    if (!m_frameTimer.isActive())
        beginFrame();
}

void GlassModel::beginFrame()
{
    if (m_waiting.empty())
        return;
    for (const StepBatchPtr& batch : std::exchange(m_waiting, {}))
        take(*batch);
    publish();
    m_frameTimer.start();
}

void GlassModel::apply(const StepBatchPtr& batch)
{
    take(*batch);
    publish();
}

void GlassModel::take(const StepBatch& batch)
{
    if (batch.snapshot)
        restart(*batch.snapshot, batch.droppedSteps);
    for (const StepRecord& record : batch.steps)
        apply(record);
    if (!batch.steps.empty())
        wake();
}

void GlassModel::publish()
{
    m_changedBlocks = m_pool->takeChangedBlocks();
    m_figures = poolFigures(*m_pool);
    emit changed();
}

void GlassModel::restart(const PoolSnapshot& snapshot, std::uint64_t droppedSteps)
{
    const bool samePool = m_hasPool && droppedSteps > 0 && snapshot.generation == m_pool->generation();
    const bool fits = m_pool->apply(snapshot);
    m_hasPool = true;
    m_health = {samePool ? m_health.droppedSteps + droppedSteps : 0,
                fits ? std::nullopt : std::optional(snapshot.step)};
    if (samePool) {
        m_batches->markGap();
        m_metrics->markGap();
        return;
    }
    m_lastOwners.assign(snapshot.blocks.size(), SequenceId{});
    m_batches->clear();
    m_metrics->clear();
    m_cursor.reset();
    emit poolReplaced();
}

void GlassModel::apply(const StepRecord& record)
{
    const bool fits = m_pool->apply(record);
    if (!fits && !m_health.mismatchStep)
        m_health.mismatchStep = record.step;
    noteLastOwners(record);
    m_batches->apply(record);
    m_metrics->apply(record, poolFigures(*m_pool).kvCacheUsage());
}

void GlassModel::noteLastOwners(const StepRecord& record)
{
    for (const StepEvent& event : record.events)
        if (const auto* free = std::get_if<event::Free>(&event);
            free && free->block.value < m_lastOwners.size())
            m_lastOwners[free->block.value] = free->sequence;
}

std::optional<SequenceActivity> GlassModel::activity(SequenceId sequence) const
{
    return m_batches->activity(sequence);
}

void GlassModel::setCursor(std::optional<std::uint64_t> step)
{
    if (m_cursor == step)
        return;
    m_cursor = step;
    emit cursorChanged();
}

void GlassModel::wake()
{
    m_idle = false;
    m_idleTimer.start();
}

void GlassModel::fallIdle()
{
    m_idle = true;
    emit becameIdle();
}

} // namespace vitrine::ui
