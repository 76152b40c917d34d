// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/glass_model.h"

#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr std::chrono::milliseconds kIdleAfter{1000};

} // namespace

GlassModel::GlassModel(const SequenceDirectory* directory, QObject* parent)
    : QObject(parent)
    , m_directory(directory)
    , m_selection(directory)
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
    const std::vector<BlockId> newlyChanged = m_pool->takeChangedBlocks();
    m_changedBlocks = m_shownPool ? std::vector<BlockId>{} : newlyChanged;
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
    m_batches->apply(record);
    m_metrics->apply(record, poolFigures(*m_pool).kvCacheUsage());
}

std::optional<SequenceActivity> GlassModel::activity(SequenceId sequence) const
{
    return m_batches->activityAt(sequence, shownStep());
}

std::optional<SequenceActivity> GlassModel::newestActivity(SequenceId sequence) const
{
    return m_batches->activity(sequence);
}

std::vector<const SequenceRow*> GlassModel::waiting() const
{
    return m_batches->waitingAt(shownStep());
}

SequenceId GlassModel::lastOwner(BlockId block) const
{
    return pool().lastOwner(block);
}

std::uint64_t GlassModel::shownStep() const
{
    return pool().step();
}

const StepFigures* GlassModel::shownStepFigures() const
{
    return m_batches->at(shownStep());
}

std::optional<StepRange> GlassModel::cursorRange() const
{
    if (m_batches->empty())
        return std::nullopt;
    return StepRange{m_batches->firstStep(), m_batches->lastStep()};
}

void GlassModel::moveCursor(std::int64_t steps)
{
    const auto range = cursorRange();
    if (!range)
        return;
    const auto from = static_cast<std::int64_t>(m_cursor.value_or(range->last));
    setCursor(static_cast<std::uint64_t>(std::clamp(from + steps, static_cast<std::int64_t>(range->first),
                                                    static_cast<std::int64_t>(range->last))));
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
