// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/command_queue.h"

#include <utility>

namespace vitrine {

void CommandQueue::push(Command command)
{
    {
        std::lock_guard lock(m_mutex);
        m_commands.push_back(std::move(command));
    }
    m_changed.notify_one();
}

void CommandQueue::close()
{
    {
        std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    m_changed.notify_all();
}

bool CommandQueue::closed() const
{
    std::lock_guard lock(m_mutex);
    return m_closed;
}

std::vector<Command> CommandQueue::drain()
{
    std::lock_guard lock(m_mutex);
    return std::exchange(m_commands, {});
}

void CommandQueue::wait()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return ready(); });
}

void CommandQueue::waitFor(std::chrono::milliseconds longest)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, longest, [this] { return ready(); });
}

} // namespace vitrine
