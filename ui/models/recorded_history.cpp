// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recorded_history.h"

#include "engine/trace/record_codec.h"
#include "ui/models/recording_file.h"

#include <string>
#include <unordered_set>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr std::uint64_t kProgressSteps = 1024;

/// Of one step: no engine computes so many.
constexpr std::int64_t kMostStepTokens = std::int64_t{1} << 30;

/// The sequences that live, as far as the records tell.
class LiveSequences {
public:
    /// After steps that nobody saw others may live too, and wait.
    void beginAt(const PoolSnapshot& snapshot)
    {
        m_live.clear();
        for (const SequenceState& state : snapshot.sequences)
            m_live.insert(state.sequence);
        m_mayBeMore = snapshot.step > 0;
    }
    /// What is wrong; nullptr where nothing is.
    const char* faultIn(const StepRecord& record)
    {
        const char* fault = nullptr;
        std::int64_t tokens = 0;
        for (const StepEvent& event : record.events) {
            if (const auto* member = std::get_if<event::Member>(&event))
                tokens += member->tokens;
            if (!std::visit([this](const auto& e) { return on(e); }, event))
                fault = "a sequence does not exist, or comes twice";
        }
        return tokens > kMostStepTokens ? "there are more tokens than a step can have" : fault;
    }

private:
    bool on(const event::Arrive& e) { return m_live.insert(e.sequence).second; }
    bool on(const event::Finish& e) { return m_live.erase(e.sequence) > 0 || m_mayBeMore; }
    bool on(const event::Member& e) { return e.kind == MemberKind::Padding || knows(e.sequence); }
    bool on(const event::Alloc& e) { return knows(e.sequence); }
    bool on(const event::Share& e) { return knows(e.sequence); }
    bool on(const event::Free& e) { return knows(e.sequence); }
    bool on(const event::Grant& e) { return knows(e.sequence); }
    bool on(const event::Preempt& e) { return knows(e.sequence); }
    bool on(const event::Wait& e)
    {
        return knows(e.sequence) && (e.reason != WaitReason::BehindHead || knows(e.head));
    }
    template<typename BlockEvent>
    bool on(const BlockEvent&)
    {
        return true;
    }
    [[nodiscard]] bool knows(SequenceId sequence) const { return m_mayBeMore || m_live.contains(sequence); }

    std::unordered_set<SequenceId> m_live;
    bool m_mayBeMore = false;
};

/// Walks through a part and believes nothing.
class PartReplay {
public:
    PartReplay(const RecordingPart& part, const ReplayProgress& progress)
        : m_part(part)
        , m_progress(progress)
    {
    }

    /// `onGap`: before the first segment, and where steps are missing; `onStep` after each step.
    template<typename OnGap, typename OnStep>
    Result<void> run(const OnGap& onGap, const OnStep& onStep)
    {
        for (std::size_t i = 0; i < m_part.segmentCount(); ++i) {
            const RecordingSegment& segment = m_part.segment(i);
            if (const Result<void> begun = begin(segment, i == 0); !begun)
                return begun;
            if (!segment.follows || i == 0)
                onGap(i == 0);
            SegmentReader reader(segment.snapshotStep, m_part.generation);
            while (reader.step() < segment.lastStep()) {
                const Result<StepRecord> record = reader.next(segment);
                if (!record)
                    return tl::unexpected(record.error());
                if (const Result<void> stepped = step(*record); !stepped)
                    return stepped;
                onStep(*record);
            }
            if (reader.offset() != segment.steps.size())
                return contradiction(segment.lastStep(), "there are bytes after its record");
            if (!tell()) // a segment may be short, and its snapshot large
                return stopped();
        }
        return {};
    }

    [[nodiscard]] PoolMirror& pool() { return m_pool; }

private:
    static tl::unexpected<Error> contradiction(std::uint64_t step, const char* what)
    {
        return fail("the recording contradicts itself at step " + std::to_string(step) + ": " + what, {},
                    "the file is damaged, or was not made by Vitrine");
    }

    Result<void> begin(const RecordingSegment& segment, bool first)
    {
        const Result<PoolSnapshot> snapshot = decodeSnapshot(*segment.snapshot);
        if (!snapshot)
            return tl::unexpected(snapshot.error());
        if (snapshot->step != segment.snapshotStep || snapshot->generation != m_part.generation ||
            snapshot->blockSize != m_part.blockSize ||
            std::int64_t(snapshot->blocks.size()) != m_part.numBlocks)
            return contradiction(segment.snapshotStep, "a state is not what the table says");
        if (!first && segment.follows) {
            if (m_pool.step() != segment.snapshotStep || encode(m_pool.snapshot()) != *segment.snapshot)
                return contradiction(segment.snapshotStep, "the steps do not lead to the state");
            return {};
        }
        if (!first && segment.snapshotStep < m_pool.step())
            return contradiction(segment.snapshotStep, "steps overlap");
        if (!m_pool.apply(*snapshot))
            return contradiction(segment.snapshotStep, "the state does not fit itself");
        m_sequences.beginAt(*snapshot);
        return {};
    }

    Result<void> step(const StepRecord& record)
    {
        if (record.beginSeconds < m_seconds)
            return contradiction(record.step, "time runs backwards");
        m_seconds = record.endSeconds;
        if (const char* fault = m_sequences.faultIn(record))
            return contradiction(record.step, fault);
        if (!m_pool.apply(record))
            return contradiction(record.step, "what happens does not fit the pool");
        if (++m_untold >= kProgressSteps && !tell())
            return stopped();
        return {};
    }

    bool tell() { return m_progress(std::exchange(m_untold, 0)); }
    static tl::unexpected<Error> stopped() { return fail("stopped"); }

    const RecordingPart& m_part;
    const ReplayProgress& m_progress;
    PoolMirror m_pool;
    LiveSequences m_sequences;
    double m_seconds = -kMaxRecordedSeconds;
    std::uint64_t m_untold = 0; ///< steps since the last progress
};

} // namespace

Result<RecordedHistory> replay(const Recording& recording, std::uint32_t generation,
                               const ReplayProgress& progress)
{
    const RecordingPart* part = recording.part(generation);
    if (!part || !part->hasSteps())
        return fail("there are no steps of this pool");
    RecordedHistory history{.batches = BatchHistory(part->stepCount())};
    PartReplay walk(*part, progress);
    const auto onGap = [&](bool first) {
        if (first)
            return;
        history.batches.markGap();
        history.metrics.markGap();
    };
    const auto onStep = [&](const StepRecord& record) {
        const PoolMirror& pool = walk.pool();
        history.batches.apply(record, pool.kvCacheUsage(), pool.freeRuns().fragmentation());
        history.metrics.apply(record, pool.kvCacheUsage());
    };
    if (const Result<void> walked = walk.run(onGap, onStep); !walked)
        return tl::unexpected(walked.error());
    history.droppedSteps = part->lastStep() + 1 - part->firstStep() - part->stepCount();
    history.lastPool = std::move(walk.pool());
    (void)history.lastPool.takeChangedBlocks();
    history.recording = recording;
    return history;
}

Result<void> check(const RecordingPart& part, const ReplayProgress& progress, const StepVisitor& each)
{
    PartReplay walk(part, progress);
    return walk.run([](bool) {},
                    [&](const StepRecord& record) {
                        if (each)
                            each(record, walk.pool());
                    });
}

Result<void> checkAll(const Recording& recording, const std::function<bool(double)>& progress,
                      const PartStepVisitor& each)
{
    std::uint64_t steps = 1;
    for (const RecordingPart& part : recording.parts())
        steps += part.stepCount();
    std::uint64_t done = 0;
    bool stopped = false;
    const auto told = [&](std::uint64_t more) {
        done += more;
        stopped = !progress(double(done) / double(steps));
        return !stopped;
    };
    int number = 0;
    for (const RecordingPart& part : recording.parts()) {
        if (!part.hasSteps())
            continue;
        ++number;
        const auto eachOfPart = [&](const StepRecord& record, const PoolMirror& pool) {
            if (each)
                each(number, record, pool);
        };
        if (Result<void> checked = check(part, told, eachOfPart); !checked)
            return stopped ? tl::unexpected(stoppedError()) : checked;
    }
    return {};
}

} // namespace vitrine::ui
