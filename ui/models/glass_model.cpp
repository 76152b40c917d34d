// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/glass_model.h"

#include "engine/trace/record_codec.h"
#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recorded_pool.h"

#include <QThreadPool>

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr std::chrono::milliseconds kIdleAfter{1000};

/// What walks through all blocks of a larger pool has a thread of its own: it would be seen as a stall.
constexpr std::int32_t kMostBlocksAtOnce = 65'536;

std::vector<BlockId> allBlocks(const PoolMirror& pool)
{
    std::vector<BlockId> blocks;
    blocks.reserve(static_cast<std::size_t>(pool.numBlocks()));
    for (std::uint32_t block = 0; block < static_cast<std::uint32_t>(pool.numBlocks()); ++block)
        blocks.push_back(BlockId{block});
    return blocks;
}

/// Giving back the memory of a large pool takes time too.
void discard(std::shared_ptr<RecordedPool> pool)
{
    if (pool && pool->pool().numBlocks() > kMostBlocksAtOnce)
        QThreadPool::globalInstance()->start([old = std::move(pool)]() mutable { old.reset(); });
}

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

GlassModel::GlassModel(const SequenceDirectory* directory, QObject* parent, std::size_t recordingBytes)
    : QObject(parent)
    , m_directory(directory)
    , m_selection(directory)
    , m_pool(std::make_unique<PoolMirror>())
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
    m_wanted.reset();
    discard(std::exchange(m_shown, nullptr));
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
    const auto aim = m_wanted ? m_wanted : m_cursor;
    const bool backwards = *step < aim.value_or(range->last);
    const std::uint64_t wanted = std::clamp(*step, range->first, range->last);
    const std::uint64_t target =
        backwards ? shownPart()->nearestAtOrBefore(wanted) : shownPart()->nearestAtOrAfter(wanted);
    if (target != aim)
        goTo(target);
}

void GlassModel::moveCursor(std::int64_t steps)
{
    const auto range = cursorRange();
    if (!range)
        return;
    const std::uint64_t from = m_wanted.value_or(m_cursor.value_or(range->last));
    setCursor(shownPart()->stepsFrom(shownPart()->nearestAtOrAfter(from), steps));
}

void GlassModel::goTo(std::uint64_t step)
{
    if (isFar(step)) {
        m_wanted = step;
        if (!m_seeker.isRunning())
            startSeek();
        return;
    }
    m_wanted.reset();
    if (step == m_cursor || !tryShow(step))
        return;
    emit cursorChanged();
    emit changed();
}

/// Whether its pool has to be made anew, or by many events.
bool GlassModel::isFar(std::uint64_t step) const
{
    return m_pool->numBlocks() > kMostBlocksAtOnce &&
           (!m_shown || !m_shown->leadsTo(*shownPart(), step) ||
            step - m_shown->pool().step() > Recording::kSegmentSteps);
}

bool GlassModel::tryShow(std::uint64_t step)
{
    const auto shown = m_shown ? m_shown : std::make_shared<RecordedPool>();
    if (!shown->moveTo(*shownPart(), step))
        return false;
    install(shown);
    return true;
}

void GlassModel::install(std::shared_ptr<RecordedPool> pool)
{
    if (pool != m_shown)
        discard(std::exchange(m_shown, std::move(pool)));
    m_changedBlocks = m_shown->changedBlocks();
    m_shownFigures = poolFigures(m_shown->pool());
    m_cursor = m_shown->pool().step();
}

void GlassModel::startSeek()
{
    m_sought = *m_wanted;
    m_found = std::make_shared<RecordedPool>();
    const auto part = std::make_shared<const RecordingPart>(*shownPart());
    m_seeker.start([found = m_found, part, step = m_sought](const auto&) -> Result<void> {
        if (!found->moveTo(*part, step))
            return fail("the step cannot be reached");
        return {};
    });
}

/// The cursor may have gone on meanwhile; what was found is shown on the way.
void GlassModel::finishSeek(const Error& error)
{
    std::shared_ptr<RecordedPool> found = std::exchange(m_found, nullptr);
    const bool isWanted =
        m_wanted && error.what.empty() && shownPart() && found->pool().generation() == m_pool->generation();
    if (m_wanted == m_sought)
        m_wanted.reset();
    if (isWanted) {
        install(std::move(found));
        emit cursorChanged();
        emit changed();
    }
    discard(std::move(found));
    if (m_wanted && shownPart() && !m_seeker.isRunning())
        startSeek();
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

void GlassModel::follow()
{
    m_wanted.reset();
    if (!m_cursor)
        return;
    m_changedBlocks = allBlocks(*m_pool);
    discard(std::exchange(m_shown, nullptr));
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
    if (m_wanted || *m_cursor >= range->first)
        return;
    if (isFar(range->first))
        return goTo(range->first);
    if (tryShow(range->first))
        emit cursorChanged();
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
    m_wanted.reset();
    discard(std::exchange(m_shown, nullptr));
    m_cursor.reset();
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
