// SPDX-License-Identifier: GPL-3.0-or-later
// The pool as it was after any step of a recording.
#pragma once
#include "engine/trace/recording.h"
#include "ui/models/pool_mirror.h"

#include <vector>

namespace vitrine::ui {

class RecordedPool {
public:
    /// Goes on from where it stands where that is less work than to start from the snapshot before the step.
    /// False, and nothing is changed, where the step is not kept.
    [[nodiscard]] bool moveTo(const RecordingPart& part, std::uint64_t step);

    [[nodiscard]] const PoolMirror& pool() const { return m_pool; }
    /// Whether a step is reached from where it stands, by the events between.
    [[nodiscard]] bool leadsTo(const RecordingPart& part, std::uint64_t step) const;
    /// Blocks that the last moveTo() touched, each once: all where it started from a snapshot.
    [[nodiscard]] const std::vector<BlockId>& changedBlocks() const { return m_changed; }

private:
    bool startFrom(const RecordingPart& part, const RecordingSegment& segment);
    bool replay(const RecordingSegment& segment, std::uint64_t step);

    PoolMirror m_pool;
    SegmentReader m_reader;
    std::vector<BlockId> m_changed;
    bool m_started = false;
};

} // namespace vitrine::ui
