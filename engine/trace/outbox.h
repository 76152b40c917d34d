// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/report.h"
#include "engine/trace/step_record.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace vitrine {

/// From the engine's thread to whoever watches. Three promises: reports are ordered and never dropped; step
/// records are complete or dropped as whole steps, counted, and followed by a snapshot; the engine never
/// waits.
class Outbox {
public:
    struct Contents {
        std::vector<Report> reports;
        std::vector<StepRecord> steps; ///< consecutive, after `snapshot` where there is one
        std::shared_ptr<const PoolSnapshot>
            snapshot; ///< the state from which `steps` go on; null: from the last drain's end
        std::uint64_t droppedSteps = 0; ///< since the last drain, those of a pool that is no more included
    };

    /// `maxSteps`: records kept for a consumer that lags behind.
    explicit Outbox(std::size_t maxSteps = 4096);

    /// Called at most once between two drains, on the engine's thread; must not block. Set before the engine
    /// runs.
    void onWake(std::function<void()> wake);

    // Engine's thread.
    void post(Report report);
    /// Where there is no room, all records kept are dropped, this one too, and the state after it is taken
    /// instead: `takeSnapshot` is called (without a lock held) only then.
    void post(StepRecord record, const std::function<PoolSnapshot()>& takeSnapshot);
    /// A new pool (model loaded, options changed): earlier records mean nothing any more and are dropped.
    /// Snapshots and records from now on carry its generation.
    void reset(PoolSnapshot snapshot);
    /// Of the pool whose records go out now.
    [[nodiscard]] std::uint32_t generation() const { return m_generation; }

    // Any thread.
    [[nodiscard]] Contents drain();

private:
    [[nodiscard]] bool tryKeep(StepRecord& record);
    void startFrom(PoolSnapshot snapshot, std::uint64_t more);
    void wakeOnce();

    const std::size_t m_maxSteps;
    std::function<void()> m_wake;
    std::mutex m_mutex;
    Contents m_contents;
    std::uint32_t m_generation = 0; ///< engine's thread only
    bool m_awake = false;
    bool m_snapshotNeeded = true; ///< the consumer has nothing to start from: no reset() yet
};

} // namespace vitrine
