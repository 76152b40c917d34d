// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/resource.h>

#include <cstddef>
#include <fstream>

namespace vitrine::test {

/// While it lives, the system gives this process no more than `bytes` of memory that it does not have yet.
class MemoryLimit {
public:
    explicit MemoryLimit(std::size_t bytes)
    {
        getrlimit(RLIMIT_AS, &m_before);
        const rlimit limit{mappedBytes() + bytes, m_before.rlim_max};
        setrlimit(RLIMIT_AS, &limit);
    }
    ~MemoryLimit() { setrlimit(RLIMIT_AS, &m_before); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

    /// Addresses that this process has mapped.
    [[nodiscard]] static std::size_t mappedBytes()
    {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        return pages * 4096;
    }

private:
    rlimit m_before{};
};

} // namespace vitrine::test
