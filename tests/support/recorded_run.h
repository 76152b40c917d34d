// SPDX-License-Identifier: GPL-3.0-or-later
// A random run of the engine's core, recorded, and what its pool was after each step.
#pragma once
#include "engine/trace/recording.h"
#include "tests/support/random_workload.h"
#include "ui/models/pool_mirror.h"

#include <cstdint>
#include <map>
#include <random>

namespace vitrine::test {

/// What the pool itself knows; not what the views remember of the blocks.
[[nodiscard]] inline bool samePool(PoolSnapshot a, PoolSnapshot b)
{
    a.pasts.clear();
    b.pasts.clear();
    return a == b;
}

class RecordedRun {
public:
    /// `gaps`: some steps are dropped, as if the window had slept.
    RecordedRun(std::uint64_t seed, int operations, bool gaps,
                std::size_t maxBytes = Recording::kDefaultBytes)
        : m_recording(maxBytes)
        , m_seed(seed)
        , m_gaps(gaps)
        , m_runner(randomMode(seed))
        , m_random(seed)
    {
        restart();
        m_runner.afterStep = [this] { step(); };
        std::uint64_t random = seed;
        for (int i = 0; i < operations; ++i)
            m_runner.run(randomOperation(random));
        m_runner.drain();
        m_runner.afterStep = {};
    }

    [[nodiscard]] const Recording& recording() const { return m_recording; }
    [[nodiscard]] const RecordingPart& part() const { return *m_recording.newest(); }
    /// After each step that was recorded, also those that have left the recording; with what the mirror
    /// remembered then.
    [[nodiscard]] const std::map<std::uint64_t, PoolSnapshot>& truth() const { return m_truth; }
    [[nodiscard]] std::uint64_t droppedSteps() const { return m_dropped; }
    [[nodiscard]] std::uint64_t steps() const { return m_runner.engine().scheduler().step(); }
    /// The first step after which mirror and pool differed; 0: none.
    [[nodiscard]] std::uint64_t firstFault() const { return m_firstFault; }

private:
    [[nodiscard]] PoolSnapshot poolNow() const
    {
        PoolSnapshot snapshot = m_runner.engine().scheduler().snapshot();
        snapshot.generation = std::uint32_t(m_seed);
        return snapshot;
    }

    void restart()
    {
        PoolSnapshot snapshot = poolNow();
        snapshot.pasts = m_mirror.snapshot().pasts;
        note(m_mirror.apply(snapshot));
        m_recording.start(m_mirror.snapshot());
    }

    void step()
    {
        if (m_skip > 0 && --m_skip >= 0) {
            ++m_dropped;
            if (m_skip == 0)
                restart();
            return;
        }
        StepRecord record = m_runner.engine().lastRecord();
        record.generation = std::uint32_t(m_seed);
        m_seconds += 0.01; // the toy engine has no clock
        record.beginSeconds = m_seconds;
        record.endSeconds = m_seconds + 0.01;
        note(m_mirror.apply(record));
        m_recording.append(record, [this] { return m_mirror.snapshot(); });
        PoolSnapshot snapshot = m_mirror.snapshot();
        note(samePool(snapshot, poolNow()));
        m_truth.emplace(record.step, std::move(snapshot));
        if (m_gaps && m_random() % 400 == 0)
            m_skip = 1 + int(m_random() % 30);
    }

    void note(bool good)
    {
        if (!good && m_firstFault == 0)
            m_firstFault = std::max<std::uint64_t>(1, steps());
    }

    Recording m_recording;
    std::uint64_t m_seed;
    bool m_gaps;
    mutable WorkloadRunner m_runner;
    std::mt19937 m_random;
    ui::PoolMirror m_mirror;
    std::map<std::uint64_t, PoolSnapshot> m_truth;
    std::uint64_t m_dropped = 0;
    std::uint64_t m_firstFault = 0;
    int m_skip = 0;
    double m_seconds = 0;
};

} // namespace vitrine::test
