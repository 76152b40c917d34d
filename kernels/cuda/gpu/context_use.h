// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <mutex>
#include <utility>

namespace vitrine::kernels::cuda {

/// Who uses the context that all devices of a process have in common. A context that is broken stays so until
/// it is thrown away, with all that is in it: by the last who uses it alone.
class ContextUsers {
public:
    /// `reset` throws the context away.
    explicit ContextUsers(void (*reset)())
        : m_reset(reset)
    {
    }

    void enter()
    {
        const std::lock_guard lock(m_mutex); // waits for a reset under way
        ++m_users;
    }
    void leave(bool isBroken)
    {
        const std::lock_guard lock(m_mutex);
        m_isBroken |= isBroken;
        if (--m_users == 0 && std::exchange(m_isBroken, false))
            m_reset();
    }

private:
    void (*const m_reset)();
    std::mutex m_mutex;
    int m_users = 0;
    bool m_isBroken = false; ///< as one of those has found who used it
};

/// One who uses it.
class ContextUse {
public:
    explicit ContextUse(ContextUsers& users)
        : m_users(users)
    {
        m_users.enter();
    }
    ~ContextUse() { m_users.leave(m_isBroken); }
    ContextUse(const ContextUse&) = delete;
    ContextUse& operator=(const ContextUse&) = delete;
    /// Nothing that is in it can be used any more.
    void setBroken() { m_isBroken = true; }

private:
    ContextUsers& m_users;
    bool m_isBroken = false;
};

} // namespace vitrine::kernels::cuda
