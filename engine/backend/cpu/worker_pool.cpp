// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/worker_pool.h"

#include <sched.h>

#include <fstream>
#include <set>
#include <string>

namespace vitrine {
namespace {

/// About 50 microseconds: longer than the serial part between two tasks of a pass, too short to be seen as load.
constexpr int kSpins = 2000;

void pauseBriefly()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// The first hyper-thread of the core that `cpu` belongs to; the kernel lists them as "0,64" or "0-1".
std::string coreOf(int cpu)
{
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
    std::string siblings;
    std::getline(file, siblings);
    return siblings.empty() ? std::to_string(cpu) : siblings.substr(0, siblings.find_first_of(",-"));
}

} // namespace

int physicalCores()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::set<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed))
            cores.insert(coreOf(cpu));
    return std::max(1, static_cast<int>(cores.size()));
}

WorkerPool::WorkerPool(int threads)
{
    const int count = threads > 0 ? threads : physicalCores();
    m_workers.reserve(static_cast<std::size_t>(count - 1));
    for (int worker = 1; worker < count; ++worker)
        m_workers.emplace_back([this, worker] { loop(worker); });
}

WorkerPool::~WorkerPool()
{
    m_stopping.store(true);
    m_generation.fetch_add(1);
    m_generation.notify_all();
    for (std::thread& worker : m_workers)
        worker.join();
}

void WorkerPool::runTask(WorkerTask task)
{
    if (m_workers.empty()) {
        task(0);
        return;
    }
    m_task = task;
    m_unfinished.store(static_cast<int>(m_workers.size()), std::memory_order_relaxed);
    m_generation.fetch_add(1, std::memory_order_release);
    m_generation.notify_all();
    task(0);
    // Shares are even, so the others finish at about the same time; a worker that lost its core is given ours.
    for (int spins = 0; m_unfinished.load(std::memory_order_acquire) != 0; ++spins)
        spins < kSpins ? pauseBriefly() : std::this_thread::yield();
}

void WorkerPool::loop(int worker)
{
    std::uint32_t seen = 0;
    while (waitForTask(seen)) {
        ++seen;
        m_task(worker);
        m_unfinished.fetch_sub(1, std::memory_order_release);
    }
}

bool WorkerPool::waitForTask(std::uint32_t seen)
{
    for (int spins = 0; m_generation.load(std::memory_order_acquire) == seen; ++spins) {
        if (spins < kSpins)
            pauseBriefly();
        else
            m_generation.wait(seen, std::memory_order_acquire);
    }
    return !m_stopping.load();
}

} // namespace vitrine
