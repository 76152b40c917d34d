// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace vitrine {

/// Threads that share one loop at a time with the calling thread. Parts of the loop are handed out one by
/// one, so a thread that lost its core (to the window, to another program) costs its own part and no more:
/// the others take the rest, and one that has not even woken up is not waited for. Between two loops the
/// threads spin for a moment, as a forward pass brings the next one within microseconds, then sleep: an idle
/// engine uses no CPU.
class WorkerPool {
public:
    /// `threads` with the caller; 0: the physical cores.
    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] int threads() const { return static_cast<int>(m_workers.size()) + 1; }

    /// Calls work(begin, end, worker) for parts of [0, count) whose borders are multiples of `grain`, and
    /// returns when all are done. `worker` (0 .. threads - 1) is never the same in two calls at one time.
    /// Nothing that `work` computes may depend on how the range is cut or on `worker`.
    template<typename F>
    void share(std::int64_t count, std::int64_t grain, F&& work)
    {
        if (count <= grain || m_workers.empty()) {
            if (count > 0)
                work(std::int64_t{0}, count, 0);
            return;
        }
        const auto call = [](void* context, std::int64_t begin, std::int64_t end, int worker) {
            (*static_cast<std::remove_reference_t<F>*>(context))(begin, end, worker);
        };
        runLoop({&work, call, count, grain});
    }

    /// How many of `parts` equal parts, of `partWork` multiply-adds each, a thread should take at a time.
    [[nodiscard]] std::int64_t grainFor(std::size_t parts, std::size_t partWork) const;

private:
    struct Loop {
        void* context = nullptr;
        void (*call)(void* context, std::int64_t begin, std::int64_t end, int worker) = nullptr;
        std::int64_t count = 0;
        std::int64_t grain = 1;
    };

    void runLoop(const Loop& loop);
    void runParts(int worker);
    void serve(int worker);
    [[nodiscard]] bool join(std::uint32_t& state);

    Loop m_loop;                                     ///< written only while no worker has joined
    alignas(64) std::atomic<std::int64_t> m_next{0}; ///< start of the next part
    /// Bits 0 to 9: workers that have joined the loop; bit 10: open to join; above: counts loops.
    alignas(64) std::atomic<std::uint32_t> m_state{0};
    std::atomic<bool> m_stopping{false};
    std::vector<std::thread> m_workers;
};

/// Physical cores that this process may run on (hyper-threads of one core count once); at least 1.
[[nodiscard]] int physicalCores();

} // namespace vitrine
