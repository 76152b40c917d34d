// SPDX-License-Identifier: GPL-3.0-or-later
// GlassModel, the moment that is shown: where the cursor can go, and how its pool is made.
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/large_pool.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_pool.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

std::vector<BlockId> allBlocks(const PoolMirror& pool)
{
    std::vector<BlockId> blocks;
    blocks.reserve(static_cast<std::size_t>(pool.numBlocks()));
    for (std::uint32_t block = 0; block < static_cast<std::uint32_t>(pool.numBlocks()); ++block)
        blocks.push_back(BlockId{block});
    return blocks;
}

void discard(std::shared_ptr<RecordedPool> pool)
{
    if (pool && pool->pool().numBlocks() > kMostBlocksAtOnce)
        letGoElsewhere(std::move(pool));
}

} // namespace

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

/// Another pool: nothing of the old one is shown or sought.
bool GlassModel::forgetCursor()
{
    m_wanted.reset();
    discard(std::exchange(m_shown, nullptr));
    return std::exchange(m_cursor, std::nullopt).has_value();
}

} // namespace vitrine::ui
