// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/glass_model.h"

#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recorded_pool.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr std::chrono::milliseconds kIdleAfter{1000};

/// What the views remember of the blocks outlives the steps that were dropped; the engine's snapshot does not
/// have it.
bool applyKeepingPasts(PoolMirror& pool, const PoolSnapshot& snapshot, bool samePool)
{
    if (!samePool)
        return pool.apply(snapshot);
    PoolSnapshot with = snapshot;
    with.pasts = pool.snapshot().pasts;
    return pool.apply(with);
}

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
    std::vector<BlockId> changedNow = m_pool->takeChangedBlocks();
    m_changedBlocks.clear();
    if (!m_cursor)
        m_changedBlocks = std::move(changedNow);
    m_figures = poolFigures(*m_pool);
    keepCursorInRange();
    emit changed();
}

void GlassModel::restart(const PoolSnapshot& snapshot, std::uint64_t droppedSteps)
{
    const bool samePool = m_hasPool && droppedSteps > 0 && snapshot.generation == m_pool->generation();
    const bool fits = applyKeepingPasts(*m_pool, snapshot, samePool);
    m_hasPool = true;
    m_recording.start(m_pool->snapshot());
    m_health = {samePool ? m_health.droppedSteps + droppedSteps : 0,
                fits ? std::nullopt : std::optional(snapshot.step)};
    if (samePool) {
        m_batches->markGap();
        m_metrics->markGap();
        return;
    }
    m_batches->clear();
    m_metrics->clear();
    m_shown.reset();
    const bool hadCursor = m_cursor.has_value();
    m_cursor.reset();
    emit poolReplaced();
    if (hadCursor)
        emit cursorChanged();
}

void GlassModel::apply(const StepRecord& record)
{
    const bool fits = m_pool->apply(record);
    if (!fits && !m_health.mismatchStep)
        m_health.mismatchStep = record.step;
    if (!m_health.mismatchStep) // what contradicts itself is not kept
        m_recording.append(record, [this] { return m_pool->snapshot(); });
    m_batches->apply(record, m_pool->kvCacheUsage(), m_pool->freeRuns().fragmentation());
    m_metrics->apply(record, m_pool->kvCacheUsage());
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

const PoolMirror& GlassModel::pool() const
{
    return m_shown ? m_shown->pool() : *m_pool;
}

const RecordingPart* GlassModel::shownPart() const
{
    const RecordingPart* part = m_hasPool ? m_recording.part(m_pool->generation()) : nullptr;
    return part && part->hasSteps() && !m_batches->empty() ? part : nullptr;
}

std::optional<StepRange> GlassModel::cursorRange() const
{
    const RecordingPart* part = shownPart();
    if (!part || part->lastStep() < m_batches->firstStep())
        return std::nullopt;
    return StepRange{std::max(part->firstStep(), m_batches->firstStep()), part->lastStep()};
}

void GlassModel::setCursor(std::optional<std::uint64_t> step)
{
    const auto range = cursorRange();
    if (!step && m_replay && range)
        step = range->last; // nothing newer will come
    if (!step || !range)
        return follow();
    const bool backwards = *step < m_cursor.value_or(range->last);
    const std::uint64_t wanted = std::clamp(*step, range->first, range->last);
    const std::uint64_t target =
        backwards ? shownPart()->nearestAtOrBefore(wanted) : shownPart()->nearestAtOrAfter(wanted);
    if (target == m_cursor || !tryShow(target))
        return;
    emit cursorChanged();
    emit changed();
}

void GlassModel::moveCursor(std::int64_t steps)
{
    const auto range = cursorRange();
    if (!range)
        return;
    const auto from = static_cast<std::int64_t>(m_cursor.value_or(range->last));
    setCursor(static_cast<std::uint64_t>(std::max<std::int64_t>(from + steps, 0)));
}

bool GlassModel::tryShow(std::uint64_t step)
{
    auto first = m_shown ? nullptr : std::make_unique<RecordedPool>();
    RecordedPool& shown = first ? *first : *m_shown;
    if (!shown.moveTo(*shownPart(), step))
        return false;
    m_changedBlocks = first ? differences(*m_pool, shown.pool()) : shown.changedBlocks();
    if (first)
        m_shown = std::move(first);
    m_shownFigures = poolFigures(m_shown->pool());
    m_cursor = step;
    return true;
}

void GlassModel::follow()
{
    if (!m_cursor)
        return;
    m_changedBlocks = differences(m_shown->pool(), *m_pool);
    m_shown.reset();
    m_cursor.reset();
    emit cursorChanged();
    emit changed();
}

/// The step that is looked at may have left the recording.
void GlassModel::keepCursorInRange()
{
    if (!m_cursor)
        return;
    const auto range = cursorRange();
    if (!range)
        return follow();
    if (*m_cursor < range->first && tryShow(range->first))
        emit cursorChanged();
}

void GlassModel::setRecordingBytes(std::size_t maxBytes)
{
    follow();
    m_recording = Recording(maxBytes);
    if (m_hasPool)
        m_recording.start(m_pool->snapshot());
}

void GlassModel::show(RecordedHistory history)
{
    m_replay = true;
    m_model = history.model;
    m_recording = std::move(history.recording);
    *m_pool = std::move(history.lastPool);
    *m_batches = std::move(history.batches);
    *m_metrics = std::move(history.metrics);
    m_health = {.droppedSteps = history.droppedSteps, .mismatchStep = {}};
    m_figures = poolFigures(*m_pool);
    m_changedBlocks.clear();
    m_shown.reset();
    m_cursor.reset();
    m_hasPool = true;
    if (const auto range = cursorRange())
        (void)tryShow(range->first);
    emit poolReplaced();
    emit cursorChanged();
    emit changed();
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
