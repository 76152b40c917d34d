// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine did, in bounded memory: segments, each a snapshot of the pool and the step records that
// follow it. Any step is reached from the snapshot before it.
//
// A segment ends after kSegmentSteps records. Where the pool is large it goes on until its records take as
// much memory as its snapshot, or as a byte for each eight blocks, as an empty pool is walked through too
// (but for kMostSegmentSteps at most): so snapshots take half of the memory at most, and reaching a step
// costs at most about twice what taking in its snapshot costs.
#pragma once
#include "engine/error.h"
#include "engine/trace/byte_codec.h"
#include "engine/trace/step_record.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace vitrine {

/// A snapshot and the consecutive records after it, encoded (record_codec.h).
struct RecordingSegment {
    std::uint64_t snapshotStep = 0;
    std::uint32_t records = 0;
    bool follows = false; ///< its snapshot is the state at the end of the segment before: no step is missing
    std::shared_ptr<const Bytes> snapshot{}; ///< never null; shared by copies
    Bytes steps{};                           ///< the records, one after the other

    [[nodiscard]] std::uint64_t lastStep() const { return snapshotStep + records; }
    /// Blocks that have to be walked through, beyond what its bytes account for.
    [[nodiscard]] std::int64_t sparseBlocks(std::int32_t numBlocks) const;
    /// What it holds of memory, allocations included.
    [[nodiscard]] std::size_t bytes() const;
};
using RecordingSegmentPtr = std::shared_ptr<const RecordingSegment>;

/// All that is kept of one pool. Steps are numbered within it; those between two segments were dropped.
struct RecordingPart {
    std::uint32_t generation = 0;
    std::int32_t blockSize = 0;
    std::int32_t numBlocks = 0;              ///< with the null block
    std::deque<RecordingSegmentPtr> closed;  ///< never change again
    std::optional<RecordingSegment> growing; ///< the newest

    [[nodiscard]] std::size_t segmentCount() const { return closed.size() + (growing ? 1 : 0); }
    [[nodiscard]] const RecordingSegment& segment(std::size_t index) const;

    // Steps with a record; a snapshot alone is none.

    [[nodiscard]] std::uint64_t stepCount() const;
    [[nodiscard]] bool hasSteps() const { return firstStep() <= lastStep(); }
    [[nodiscard]] std::uint64_t firstStep() const;
    [[nodiscard]] std::uint64_t lastStep() const;
    /// The segment that has the step; empty where it is not kept.
    [[nodiscard]] std::optional<std::size_t> segmentOf(std::uint64_t step) const;
    /// `step`, or the next one that is kept, or the one before; at most as far as the ends. Precondition:
    /// there are steps.
    [[nodiscard]] std::uint64_t nearestAtOrAfter(std::uint64_t step) const;
    [[nodiscard]] std::uint64_t nearestAtOrBefore(std::uint64_t step) const;
    /// So many kept steps after `step`, or before it; at most as far as the ends. Precondition: it is kept.
    [[nodiscard]] std::uint64_t stepsFrom(std::uint64_t step, std::int64_t count) const;
};

/// Decodes a segment's records one by one, also while more are added to it.
class SegmentReader {
public:
    SegmentReader() = default;
    SegmentReader(std::uint64_t snapshotStep, std::uint32_t generation)
        : m_segment(snapshotStep)
        , m_step(snapshotStep)
        , m_generation(generation)
    {
    }

    /// Of the segment that it reads.
    [[nodiscard]] std::uint64_t snapshotStep() const { return m_segment; }
    /// The last one read.
    [[nodiscard]] std::uint64_t step() const { return m_step; }
    /// Bytes read.
    [[nodiscard]] std::size_t offset() const { return m_offset; }
    /// The next record. Precondition: it reads `segment`, which has one more.
    [[nodiscard]] Result<StepRecord> next(const RecordingSegment& segment);

private:
    std::uint64_t m_segment = 0;
    std::uint64_t m_step = 0;
    std::uint32_t m_generation = 0;
    std::size_t m_offset = 0;
};

/// A place between two records of the newest segment.
struct RecordingCut {
    std::uint32_t generation = 0;
    std::uint64_t snapshotStep = 0; ///< of the segment
    std::uint64_t step = 0;         ///< the last one before it
    std::size_t offset = 0;         ///< bytes of records before it
};

/// From where records go on: a pool, and its state, encoded.
struct RecordingStart {
    /// Takes time where the pool is large; on any thread.
    explicit RecordingStart(const PoolSnapshot& snapshot);
    RecordingStart() = default;

    std::uint32_t generation = 0;
    std::uint64_t step = 0;
    std::int32_t blockSize = 0;
    std::int32_t numBlocks = 0;
    Bytes snapshot; ///< empty: the pool is too large to be recorded
};

/// Copies share what no longer changes: a copy costs its newest segment's records.
class Recording {
public:
    static constexpr std::size_t kDefaultBytes = std::size_t{64} << 20;
    static constexpr std::uint32_t kSegmentSteps = 256;
    static constexpr std::uint32_t kMostSegmentSteps = 64 * kSegmentSteps;
    /// A pool of which little is used takes few bytes, and as long to walk through as another. Of all
    /// segments together: so that what a file costs to open is bounded by its size, and by this.
    static constexpr std::int64_t kMostSparseBlocks = std::int64_t{64} << 20;

    /// At most `maxBytes` and kMostSparseBlocks are held: the oldest segments go.
    explicit Recording(std::size_t maxBytes);
    Recording()
        : Recording(kDefaultBytes)
    {
    }

    /// The state from which the next records go on: that of another pool, or of the same after steps were
    /// dropped.
    void start(const PoolSnapshot& snapshot) { start(RecordingStart(snapshot)); }
    void start(RecordingStart from);
    /// The step after the last one. A record of another pool, or of a later step, is not taken: start() comes
    /// first. A pool whose snapshot takes more than a third of the memory is not recorded.
    void append(const StepRecord& record);
    /// The same, and divides where it is time to. `after` is the pool's state after the step.
    void append(const StepRecord& record, const std::function<PoolSnapshot()>& after);

    // Dividing the newest segment takes a snapshot, which takes time where the pool is large: others may make
    // it meanwhile, while more steps come.

    /// Whether the newest segment is as long as it should be.
    [[nodiscard]] bool isFull() const;
    /// Where it ends now. Precondition: there is one.
    [[nodiscard]] RecordingCut end() const;
    /// What comes after `cut` becomes a segment of its own, beginning with the encoded state after cut.step.
    /// Nothing happens where that segment is there no more.
    void divide(const RecordingCut& cut, Bytes snapshot);
    void clear();

    /// Oldest first; each has steps but the last, which may have none yet.
    [[nodiscard]] const std::deque<RecordingPart>& parts() const { return m_parts; }
    /// The pool that start() named last; nullptr before the first.
    [[nodiscard]] const RecordingPart* newest() const { return m_parts.empty() ? nullptr : &m_parts.back(); }
    /// nullptr where nothing of it is there.
    [[nodiscard]] const RecordingPart* part(std::uint32_t generation) const;
    /// What is held, allocations included.
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t maxBytes() const { return m_maxBytes; }
    [[nodiscard]] bool hasSteps() const;

    /// For those who build one from a file: an encoded segment, the next of the part with this generation.
    void add(std::uint32_t generation, std::int32_t blockSize, std::int32_t numBlocks,
             RecordingSegmentPtr segment);

private:
    void grow(RecordingSegment segment);
    void close();
    void trim();
    [[nodiscard]] bool isTooLarge() const;
    [[nodiscard]] std::size_t growingBytes() const;
    RecordingPart& partFor(std::uint32_t generation, std::int32_t blockSize, std::int32_t numBlocks);

    std::size_t m_maxBytes;
    std::size_t m_closedBytes = 0;
    std::int64_t m_closedSparse = 0;
    std::deque<RecordingPart> m_parts;
};

} // namespace vitrine
