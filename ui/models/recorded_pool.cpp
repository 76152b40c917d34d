// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recorded_pool.h"

#include "engine/trace/record_codec.h"

#include <utility>

namespace vitrine::ui {

bool RecordedPool::moveTo(const RecordingPart& part, std::uint64_t step)
{
    const auto index = part.segmentOf(step);
    if (!index)
        return false;
    const RecordingSegment& segment = part.segment(*index);
    if (leadsTo(part, step)) {
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
    from.m_changed = from.m_pool.takeChangedBlocks();
    *this = std::move(from);
    return true;
}

/// Forwards, within the segment or into the one that follows without a gap.
bool RecordedPool::leadsTo(const RecordingPart& part, std::uint64_t step) const
{
    const auto index = part.segmentOf(step);
    if (!m_started || !index || m_pool.generation() != part.generation || step < m_reader.step())
        return false;
    const RecordingSegment& target = part.segment(*index);
    if (m_reader.snapshotStep() == target.snapshotStep)
        return true;
    return target.follows && *index > 0 && step - m_reader.step() <= Recording::kSegmentSteps &&
           m_reader.step() <= target.snapshotStep && // else it was divided behind us
           m_reader.snapshotStep() == part.segment(*index - 1).snapshotStep;
}

bool RecordedPool::startFrom(const RecordingPart& part, const RecordingSegment& segment)
{
    const Result<PoolSnapshot> snapshot = decodeSnapshot(*segment.snapshot);
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

} // namespace vitrine::ui
