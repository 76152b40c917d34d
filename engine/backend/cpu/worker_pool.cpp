// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/worker_pool.h"

#include <sched.h>

#include <exception>
#include <fstream>
#include <set>
#include <string>

namespace vitrine {
namespace {

/// About 50 microseconds: longer than the serial part between two tasks of a pass, too short to be seen as
/// load.
constexpr int kSpins = 2000;

/// Multiply-adds below which handing work to another thread takes longer than doing it: about a microsecond's
/// worth.
constexpr std::size_t kLeastSharedWork = std::size_t{1} << 15;
/// Parts that a loop is cut into for each thread: enough that the last one to finish is not long after the
/// others.
constexpr std::size_t kPartsAThread = 6;

// The parts of m_state.
constexpr std::uint32_t kJoined = (1u << 10) - 1;
constexpr std::uint32_t kOpen = 1u << 10;
constexpr std::uint32_t kNextLoop = 1u << 11;
constexpr std::uint32_t kLoops = ~(kNextLoop - 1);
constexpr int kMostThreads = kJoined;

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
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                       "/topology/thread_siblings_list");
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
    const int count = std::min(threads > 0 ? threads : physicalCores(), kMostThreads);
    m_workers.reserve(static_cast<std::size_t>(count - 1));
    try {
        for (int worker = 1; worker < count; ++worker)
            m_workers.emplace_back([this, worker] { serve(worker); });
    } catch (const std::exception&) { // no thread, or no memory for it
        // The machine gives no more threads: those that there are do the work, and threads() says how many.
    }
}

WorkerPool::~WorkerPool()
{
    m_stopping.store(true);
    m_state.fetch_add(kNextLoop);
    m_state.notify_all();
    for (std::thread& worker : m_workers)
        worker.join();
}

std::int64_t WorkerPool::grainFor(std::size_t parts, std::size_t partWork) const
{
    const std::size_t byWork = kLeastSharedWork / std::max<std::size_t>(1, partWork);
    const std::size_t byThreads = parts / (static_cast<std::size_t>(threads()) * kPartsAThread);
    return static_cast<std::int64_t>(std::max<std::size_t>({1, byWork, byThreads}));
}

void WorkerPool::runLoop(const Loop& loop)
{
    m_loop = loop;
    m_next.store(0, std::memory_order_relaxed);
    m_state.fetch_add(kNextLoop | kOpen, std::memory_order_release); // it was closed and nobody was in it
    m_state.notify_all();
    runParts(0);
    std::uint32_t joined = m_state.fetch_and(~kOpen, std::memory_order_acquire) & kJoined;
    // Those who joined have one part left to finish at most.
    for (int spins = 0; joined != 0; ++spins) {
        spins < kSpins ? pauseBriefly() : std::this_thread::yield();
        joined = m_state.load(std::memory_order_acquire) & kJoined;
    }
}

void WorkerPool::runParts(int worker)
{
    const Loop& loop = m_loop;
    for (std::int64_t begin = m_next.fetch_add(loop.grain, std::memory_order_relaxed); begin < loop.count;
         begin = m_next.fetch_add(loop.grain, std::memory_order_relaxed))
        loop.call(loop.context, begin, std::min(begin + loop.grain, loop.count), worker);
}

void WorkerPool::serve(int worker)
{
    std::uint32_t state = 0;
    while (join(state)) {
        runParts(worker);
        m_state.fetch_sub(1, std::memory_order_release);
    }
}

/// Waits for another loop than that of `state` and joins it; false where the pool ends.
bool WorkerPool::join(std::uint32_t& state)
{
    const std::uint32_t seen = state & kLoops;
    for (int spins = 0;; ++spins) {
        state = m_state.load(std::memory_order_relaxed);
        if (m_stopping.load(std::memory_order_relaxed))
            return false;
        if ((state & kLoops) != seen && (state & kOpen) != 0) {
            if (m_state.compare_exchange_weak(state, state + 1, std::memory_order_acquire))
                return true;
        } else if (spins < kSpins) {
            pauseBriefly();
        } else {
            m_state.wait(state, std::memory_order_relaxed);
        }
    }
}

} // namespace vitrine
