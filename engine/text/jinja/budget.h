// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/failure.h"

#include <cstddef>
#include <cstdint>

namespace vitrine::jinja {

// Real templates stay far below all of these; a template that was made to hang or to eat memory does not.
inline constexpr std::size_t kMaxTextBytes = 16u << 20; ///< of one string, and of the output
inline constexpr std::size_t kMaxItems = 1'000'000;     ///< of one list
inline constexpr int kMaxNesting = 100;                 ///< of lists in lists
inline constexpr int kMaxDepth = 600;      ///< of evaluations in evaluations; also guards the stack
inline constexpr int kMaxChain = 200;      ///< of a + b + c + … in a template's source
inline constexpr int kMaxSourceDepth = 80; ///< of brackets in brackets and blocks in blocks

/// What one rendering may cost: steps (one is some 50 ns) and bytes of values created.
class Budget {
public:
    Budget(std::uint64_t steps, std::uint64_t bytes)
        : m_steps(steps)
        , m_bytes(bytes)
    {
    }

    void step(std::uint64_t count = 1)
    {
        if (count > m_steps)
            failHere("the template takes too many steps");
        m_steps -= count;
    }
    /// Copying or comparing so many bytes.
    void work(std::size_t bytes) { step(bytes / 256); }
    /// Looking at so many bytes one character after the other.
    void scan(std::size_t bytes) { step(bytes / 16); }
    void create(std::size_t bytes)
    {
        if (bytes > m_bytes)
            failHere("the template takes too much memory");
        m_bytes -= bytes;
    }

    /// Held while a nested evaluation runs.
    class Level {
    public:
        explicit Level(Budget& budget)
            : m_budget(budget)
        {
            if (m_budget.m_depth >= kMaxDepth)
                failHere("the template is nested too deeply");
            ++m_budget.m_depth;
        }
        ~Level() { --m_budget.m_depth; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        Budget& m_budget;
    };

private:
    std::uint64_t m_steps;
    std::uint64_t m_bytes;
    int m_depth = 0;
};

} // namespace vitrine::jinja
