// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/glass_model.h"

#include "engine/trace/record_codec.h"
#include "ui/models/batch_history.h"
#include "ui/models/large_pool.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recorded_pool.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr std::chrono::milliseconds kIdleAfter{1000};

/// A pool that is not made at once.
bool bringsLargePool(const StepBatch& batch)
{
    return batch.snapshot && batch.snapshot->blocks.size() > std::size_t(kMostBlocksAtOnce);
}

/// Steps of a pool of that generation.
std::uint64_t stepsOf(std::uint32_t generation, const StepBatch& batch)
{
    return std::uint64_t(std::ranges::count(batch.steps, generation, &StepRecord::generation));
}

} // namespace

/// What comes of a snapshot of the engine's.
struct GlassModel::NewPool {
    Waiting from;
    std::shared_ptr<PoolMirror> pool = std::make_shared<PoolMirror>();
    RecordingStart recorded;
    std::vector<BlockId> changed;
    bool fits = false;
};

GlassModel::GlassModel(const SequenceDirectory* directory, QObject* parent, std::size_t recordingBytes)
    : QObject(parent)
    , m_directory(directory)
    , m_selection(directory)
    , m_pool(std::make_shared<PoolMirror>())
    , m_batches(std::make_unique<BatchHistory>())
    , m_metrics(std::make_unique<MetricsHistory>())
    , m_recording(recordingBytes)
{
    m_frameTimer.setSingleShot(true);
    m_frameTimer.setInterval(kFrameInterval);
    connect(&m_frameTimer, &QTimer::timeout, this, &GlassModel::beginFrame);
    m_idleTimer.setSingleShot(true);
    m_idleTimer.setInterval(kIdleAfter);
    connect(&m_idleTimer, &QTimer::timeout, this, &GlassModel::fallIdle);
    connect(directory, &SequenceDirectory::changed, this, &GlassModel::followLabels);
    connect(&m_restarter, &BackgroundWork::finished, this, &GlassModel::finishRestart);
    connect(&m_seeker, &BackgroundWork::finished, this, &GlassModel::finishSeek);
    connect(&m_divider, &BackgroundWork::finished, this, &GlassModel::finishDividing);
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
    enqueue(batch);
    if (!m_frameTimer.isActive())
        beginFrame();
}

void GlassModel::followLabels()
{
    m_relabelled = true;
    if (!m_frameTimer.isActive())
        beginFrame();
}

void GlassModel::beginFrame()
{
    if ((m_waiting.empty() && !m_relabelled) || m_restarter.isRunning())
        return;
    takeWaiting();
    m_frameTimer.start();
}

void GlassModel::apply(const StepBatchPtr& batch)
{
    enqueue(batch);
    if (!m_restarter.isRunning())
        takeWaiting();
}

/// Of large pools one at most waits to be made: where another comes, what waits from the one before on counts
/// as dropped. So a window that is slower than the engine's snapshots come does not fill the memory with
/// them.
void GlassModel::enqueue(const StepBatchPtr& batch)
{
    Waiting next{batch};
    if (batch->snapshot) {
        const std::uint32_t generation = batch->snapshot->generation;
        if (std::exchange(m_receivedGeneration, generation) == generation)
            next.droppedSteps = batch->droppedSteps; // else they may be of the pool before
        if (bringsLargePool(*batch))
            next.droppedSteps += overtake(generation);
    }
    m_waiting.push_back(std::move(next));
}

/// Forgets what waits from a large pool on. Gives the steps of that generation that are lost by it.
std::uint64_t GlassModel::overtake(std::uint32_t generation)
{
    const auto first = std::ranges::find_if(
        m_waiting, [](const Waiting& waiting) { return bringsLargePool(*waiting.batch); });
    std::uint64_t lost = 0;
    for (auto waiting = first; waiting != m_waiting.end(); ++waiting) {
        const auto& snapshot = waiting->batch->snapshot;
        if (snapshot && snapshot->generation == generation)
            lost += waiting->droppedSteps;
        lost += stepsOf(generation, *waiting->batch);
    }
    m_waiting.erase(first, m_waiting.end());
    return lost;
}

/// As far as a large pool that has to be made first.
void GlassModel::takeWaiting()
{
    while (!m_waiting.empty() && !bringsLargePool(*m_waiting.front().batch)) {
        const Waiting next = std::move(m_waiting.front());
        m_waiting.pop_front();
        take(next);
    }
    publish();
    if (!m_waiting.empty())
        startRestart();
}

void GlassModel::take(const Waiting& next)
{
    if (next.batch->snapshot) {
        NewPool made;
        made.from = next;
        makePool(made, *next.batch->snapshot, continues(*next.batch) ? m_pool.get() : nullptr);
        restart(made);
    }
    takeSteps(*next.batch);
}

void GlassModel::takeSteps(const StepBatch& batch)
{
    if (m_lost) {
        m_lost->count += stepsOf(m_lost->generation, batch);
        return;
    }
    for (const StepRecord& record : batch.steps)
        apply(record);
    if (!batch.steps.empty())
        wake();
}

void GlassModel::publish()
{
    std::vector<BlockId> changedNow = m_pool->takeChangedBlocks();
    if (!m_allBlocks.empty()) // a new pool: whatever its first steps changed is among them
        changedNow = std::exchange(m_allBlocks, {});
    m_changedBlocks.clear();
    if (!m_cursor)
        m_changedBlocks = std::move(changedNow);
    m_figures = poolFigures(*m_pool);
    keepCursorInRange();
    if (std::exchange(m_relabelled, false))
        emit labelsChanged();
    emit changed();
}

/// Its snapshot is of the pool that is there, after steps that were dropped.
bool GlassModel::continues(const StepBatch& batch) const
{
    return m_hasPool && batch.droppedSteps > 0 && batch.snapshot->generation == m_pool->generation();
}

/// What the views remember of the blocks outlives the steps that were dropped (`before`); the engine's
/// snapshot does not have it.
void GlassModel::makePool(NewPool& made, const PoolSnapshot& snapshot, const PoolMirror* before)
{
    if (before != nullptr) {
        PoolSnapshot with = snapshot;
        with.pasts = before->snapshot().pasts;
        made.fits = made.pool->apply(with);
    } else {
        made.fits = made.pool->apply(snapshot);
    }
    made.changed = made.pool->takeChangedBlocks();
    made.recorded = RecordingStart(made.pool->snapshot());
}

/// Meanwhile nothing changes m_pool: what would, waits.
void GlassModel::startRestart()
{
    m_newPool = std::make_shared<NewPool>();
    m_newPool->from = std::move(m_waiting.front());
    m_waiting.pop_front();
    const std::shared_ptr<const PoolMirror> before = continues(*m_newPool->from.batch) ? m_pool : nullptr;
    m_restarter.start([made = m_newPool, before](const auto&) -> Result<void> {
        makePool(*made, *made->from.batch->snapshot, before.get());
        return {};
    });
}

/// Without the memory for it the views go on with the pool that they have, and say that it is not the
/// engine's.
void GlassModel::finishRestart(const Error& error)
{
    std::shared_ptr<NewPool> made = std::exchange(m_newPool, nullptr);
    if (error.what.empty())
        restart(*made);
    else
        lose(made->from);
    takeSteps(*made->from.batch);
    takeWaiting();
    letGoElsewhere(std::move(made));
}

void GlassModel::lose(const Waiting& unmade)
{
    const PoolSnapshot& snapshot = *unmade.batch->snapshot;
    m_lost = LostSteps{snapshot.generation, unmade.droppedSteps + lostOf(snapshot.generation)};
    m_health.mismatchStep = snapshot.step;
}

std::uint64_t GlassModel::lostOf(std::uint32_t generation) const
{
    return m_lost && m_lost->generation == generation ? m_lost->count : 0;
}

void GlassModel::restart(NewPool& made)
{
    const std::uint32_t generation = made.from.batch->snapshot->generation;
    const std::uint64_t dropped = made.from.droppedSteps + lostOf(generation);
    const bool samePool = m_hasPool && dropped > 0 && generation == m_pool->generation();
    m_lost.reset();
    std::swap(m_pool, made.pool);
    if (made.pool->numBlocks() > kMostBlocksAtOnce)
        letGoElsewhere(std::move(made.pool));
    m_allBlocks = std::move(made.changed);
    m_hasPool = true;
    m_recording.start(std::move(made.recorded));
    m_health = {dropped + (samePool ? m_health.droppedSteps : 0),
                made.fits ? std::nullopt : std::optional(m_pool->step())};
    if (samePool) {
        m_batches->markGap();
        m_metrics->markGap();
        return;
    }
    m_batches->clear();
    m_metrics->clear();
    const bool hadCursor = forgetCursor();
    emit poolReplaced();
    if (hadCursor)
        emit cursorChanged();
}

void GlassModel::apply(const StepRecord& record)
{
    const bool fits = m_pool->apply(record);
    if (!fits && !m_health.mismatchStep)
        m_health.mismatchStep = record.step;
    if (!m_health.mismatchStep) { // what contradicts itself is not kept
        m_recording.append(record);
        if (m_recording.isFull())
            divideRecording();
    }
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

/// The snapshot of a large pool is made from the segment that it ends, beside the steps that come.
void GlassModel::divideRecording()
{
    if (m_pool->numBlocks() <= kMostBlocksAtOnce)
        return m_recording.divide(m_recording.end(), encode(m_pool->snapshot()));
    if (m_divider.isRunning())
        return;
    m_cut = m_recording.end();
    m_cutSnapshot = std::make_shared<Bytes>();
    const auto part = std::make_shared<const RecordingPart>(*m_recording.newest());
    m_divider.start([snapshot = m_cutSnapshot, part, step = m_cut.step](const auto&) -> Result<void> {
        RecordedPool pool;
        if (!pool.moveTo(*part, step))
            return fail("the step cannot be reached");
        *snapshot = encode(pool.pool().snapshot());
        snapshot->shrink_to_fit(); // else the recording would do it
        return {};
    });
}

void GlassModel::finishDividing(const Error& error)
{
    if (error.what.empty())
        m_recording.divide(m_cut, std::move(*m_cutSnapshot));
    else if (m_recording.isFull()) // no memory: not again with each step
        m_recording.start(m_pool->snapshot());
    m_cutSnapshot.reset();
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
    (void)forgetCursor();
    m_hasPool = true;
    if (const auto range = cursorRange(); range && isFar(range->first))
        goTo(range->first);
    else if (range)
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
