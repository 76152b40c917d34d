// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/outbox.h"

#include <algorithm>
#include <utility>

namespace vitrine {

Outbox::Outbox(std::size_t maxSteps)
    : m_maxSteps(std::max<std::size_t>(maxSteps, 1))
{
}

void Outbox::onWake(std::function<void()> wake)
{
    m_wake = std::move(wake);
}

void Outbox::post(Report report)
{
    {
        std::lock_guard lock(m_mutex);
        m_contents.reports.push_back(std::move(report));
    }
    wakeOnce();
}

void Outbox::post(StepRecord record, const std::function<PoolSnapshot()>& takeSnapshot)
{
    record.generation = m_generation;
    if (!tryKeep(record))
        startFrom(takeSnapshot(), 1);
    wakeOnce();
}

void Outbox::reset(PoolSnapshot snapshot)
{
    ++m_generation;
    startFrom(std::move(snapshot), 0);
    wakeOnce();
}

Outbox::Contents Outbox::drain()
{
    std::lock_guard lock(m_mutex);
    m_awake = false;
    return std::exchange(m_contents, {});
}

bool Outbox::tryKeep(StepRecord& record)
{
    std::lock_guard lock(m_mutex);
    if (m_snapshotNeeded || m_contents.steps.size() >= m_maxSteps)
        return false;
    m_contents.steps.push_back(std::move(record));
    return true;
}

/// Drops the steps that are kept, and `more` that never were.
void Outbox::startFrom(PoolSnapshot snapshot, std::uint64_t more)
{
    snapshot.generation = m_generation;
    // Made before the lock is taken: a consumer that drains meanwhile is not held up by the allocation.
    auto shared = std::make_shared<const PoolSnapshot>(std::move(snapshot));
    std::lock_guard lock(m_mutex);
    m_contents.droppedSteps += m_contents.steps.size() + more;
    m_contents.steps.clear();
    m_contents.snapshot = std::move(shared);
    m_snapshotNeeded = false;
}

void Outbox::wakeOnce()
{
    {
        std::lock_guard lock(m_mutex);
        if (std::exchange(m_awake, true))
            return;
    }
    if (m_wake)
        m_wake();
}

} // namespace vitrine
