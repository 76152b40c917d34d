// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recorded_pool.h"

#include "engine/trace/record_codec.h"

#include <algorithm>
#include <utility>

namespace vitrine::ui {

bool RecordedPool::moveTo(const RecordingPart& part, std::uint64_t step)
{
    const auto index = part.segmentOf(step);
    if (!index)
        return false;
    const RecordingSegment& segment = part.segment(*index);
    if (leadsTo(part, *index, step)) {
        if (m_reader.snapshotStep() != segment.snapshotStep) {
            if (!replay(part.segment(*index - 1), segment.snapshotStep))
                return false;
            m_reader = SegmentReader(segment.snapshotStep, part.generation);
        }
        const bool reached = replay(segment, step);
        m_changed = m_pool.takeChangedBlocks();
        return reached;
    }
    RecordedPool from;
    if (!from.startFrom(part, segment) || !from.replay(segment, step))
        return false;
    from.m_changed = differences(m_pool, from.m_pool);
    (void)from.m_pool.takeChangedBlocks();
    *this = std::move(from);
    return true;
}

/// Forwards, within the segment or into the one that follows without a gap.
bool RecordedPool::leadsTo(const RecordingPart& part, std::size_t segment, std::uint64_t step) const
{
    if (!m_started || m_pool.generation() != part.generation || step < m_reader.step())
        return false;
    const RecordingSegment& target = part.segment(segment);
    if (m_reader.snapshotStep() == target.snapshotStep)
        return true;
    return target.follows && segment > 0 && step - m_reader.step() <= Recording::kSegmentSteps &&
           m_reader.snapshotStep() == part.segment(segment - 1).snapshotStep;
}

bool RecordedPool::startFrom(const RecordingPart& part, const RecordingSegment& segment)
{
    const Result<PoolSnapshot> snapshot = decodeSnapshot(segment.snapshot);
    m_started = snapshot && m_pool.apply(*snapshot);
    m_reader = SegmentReader(segment.snapshotStep, part.generation);
    return m_started;
}

bool RecordedPool::replay(const RecordingSegment& segment, std::uint64_t step)
{
    while (m_reader.step() < step) {
        const Result<StepRecord> record = m_reader.next(segment);
        if (!record || !m_pool.apply(*record))
            return false;
    }
    return true;
}

std::vector<BlockId> differences(const PoolMirror& before, const PoolMirror& after)
{
    const bool alike = before.numBlocks() == after.numBlocks();
    std::vector<BlockId> blocks;
    for (std::uint32_t i = 0; i < std::uint32_t(after.numBlocks()); ++i) {
        const BlockId id{i};
        if (!alike || before.block(id) != after.block(id) || before.lastOwner(id) != after.lastOwner(id) ||
            before.isFree(id) != after.isFree(id) || !std::ranges::equal(before.owners(id), after.owners(id)))
            blocks.push_back(id);
    }
    return blocks;
}

} // namespace vitrine::ui
