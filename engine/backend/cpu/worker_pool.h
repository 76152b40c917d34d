// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace vitrine {

/// A reference to a function object: no allocation, valid only during the call that it is passed to.
class WorkerTask {
public:
    WorkerTask() = default;
    template<typename F>
    explicit WorkerTask(F& work)
        : m_context(&work)
        , m_call([](void* context, int worker) { (*static_cast<F*>(context))(worker); })
    {
    }
    void operator()(int worker) const { m_call(m_context, worker); }

private:
    void* m_context = nullptr;
    void (*m_call)(void*, int) = nullptr;
};

/// Threads that run one task at a time together with the calling thread. Between tasks they spin for a moment, as a
/// forward pass brings the next task within microseconds, then sleep: an idle engine uses no CPU.
class WorkerPool {
public:
    /// `threads` with the caller; 0: the physical cores.
    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] int threads() const { return static_cast<int>(m_workers.size()) + 1; }

    /// Calls work(worker) once for each worker 0 .. threads - 1 and returns when all have finished.
    template<typename F>
    void run(F&& work)
    {
        runTask(WorkerTask(work));
    }

    /// Shares [0, count) in contiguous parts whose borders are multiples of `grain`: work(begin, end, worker).
    template<typename F>
    void share(std::int64_t count, std::int64_t grain, F&& work)
    {
        const std::int64_t grains = (count + grain - 1) / grain;
        if (grains <= 1) {
            if (count > 0)
                work(std::int64_t{0}, count, 0);
            return;
        }
        run([&](int worker) {
            const std::int64_t begin = grains * worker / threads() * grain;
            const std::int64_t end = std::min(grains * (worker + 1) / threads() * grain, count);
            if (begin < end)
                work(begin, end, worker);
        });
    }

private:
    void runTask(WorkerTask task);
    void loop(int worker);
    [[nodiscard]] bool waitForTask(std::uint32_t seen);

    WorkerTask m_task;
    alignas(64) std::atomic<std::uint32_t> m_generation{0}; ///< counts tasks; workers wait for it to change
    alignas(64) std::atomic<int> m_unfinished{0};
    std::atomic<bool> m_stopping{false};
    std::vector<std::thread> m_workers;
};

/// Physical cores that this process may run on (hyper-threads of one core count once); at least 1.
[[nodiscard]] int physicalCores();

} // namespace vitrine
