// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/command.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace vitrine {

/// Commands on their way to the engine's thread, in the order in which they came.
class CommandQueue {
public:
    // Any thread.
    void push(Command command);
    /// No waiting from now on: the engine's thread is to end. Commands may still be drained.
    void close();
    [[nodiscard]] bool closed() const;

    // Engine's thread.
    /// All that came since the last call; never waits.
    [[nodiscard]] std::vector<Command> drain();
    /// Sleeps until there is a command or the queue is closed.
    void wait();
    /// The same, for `longest` at most (the pause between steps in slow motion).
    void waitFor(std::chrono::milliseconds longest);

private:
    [[nodiscard]] bool ready() const { return m_closed || !m_commands.empty(); }

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Command> m_commands;
    bool m_closed = false;
};

} // namespace vitrine
